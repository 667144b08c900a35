"""What survives a crash: disk operations, the folder that appears whole, the lock, the ledger."""
