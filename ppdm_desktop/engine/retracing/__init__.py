"""Guessing the true values behind a swap, which attacks do afterwards and a swap can try on itself beforehand."""
