"""Writing a release: export, manifest, archive."""
