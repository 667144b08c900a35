"""Each attack of the audit made on a candidate: one module an attack."""
