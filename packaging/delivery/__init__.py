"""What a delivery is made of: archives, the Debian package, the bill of materials, signature, checks."""
