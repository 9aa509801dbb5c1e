"""The household page: who holds which blocks, how they are, and who belongs to it.

Purpose: a picture that answers "why". State owned: none. Callers: `swarm_app.gui.app`.
"""
