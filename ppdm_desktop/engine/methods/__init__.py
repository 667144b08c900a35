"""The methods, each in one file with its declaration; see ``declaration`` and ``registry``."""
