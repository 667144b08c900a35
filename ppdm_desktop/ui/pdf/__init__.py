"""PDF documents, laid out and written by Qt."""
