"""What the methods share that make values coarser: scales of columns, cutting, labels, proof."""
