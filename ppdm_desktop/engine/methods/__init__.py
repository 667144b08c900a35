"""The methods: one file each, declared once; see ``declaration`` and ``registry``."""
