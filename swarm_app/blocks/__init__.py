"""Purpose: the block process: pick, load, adapt and serve one span of a model's blocks.

State owned: loaded weights, attention caches, the sessions of other computers.
Callers: `swarm_app.__main__` starts the process; nothing else imports it.
"""
