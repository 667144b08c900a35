"""What stands in a sentence beside its words: values that know how they are written."""
