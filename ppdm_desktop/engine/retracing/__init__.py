"""Guesses the true values behind a swap, on arrays. Attacks use it, and a swap can try it on itself beforehand."""
