"""Storage that survives a crash: disk operations, folders that appear whole, the lock, the ledger."""
