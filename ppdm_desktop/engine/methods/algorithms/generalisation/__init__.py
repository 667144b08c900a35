"""What the methods that generalise values share: scales of columns, cutting, labels, proof."""
