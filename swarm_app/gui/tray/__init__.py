"""The tray: contributing on, paused or off, and what is going on, without a window.

Purpose: a contributor that never annoys. State owned: when an hour's pause is over.
Callers: `swarm_app.gui.app`.
"""
