"""Purpose: the daemon of one profile: state, supervision of children, policy, wiring.

State owned: the profile folder; it is the only writer of state.
Callers: `swarm_app.__main__` and `cli` start it as a process.
"""
