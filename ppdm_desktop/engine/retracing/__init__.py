"""What a swap hides and what can be retraced of it, on arrays; attacks make it, and a swap can try it on itself."""
