"""Purpose: the local API: schema, server routes, the one typed client.

State owned: none; the server reads and changes the node's state through it.
Callers: `node` (server), `cli` and `gui` (client).
"""
