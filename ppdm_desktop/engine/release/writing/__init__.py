"""Writing the release: export, manifest, archive."""
