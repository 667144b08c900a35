"""Page Protect: methods, the chain, the queue of candidates."""
