"""PDF documents, written by Qt."""
