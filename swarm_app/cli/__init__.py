"""Purpose: the commands of `homeswarm`.

State owned: none. Callers: `swarm_app.__main__`.
"""
