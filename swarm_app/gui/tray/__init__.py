"""The tray: contributing on, paused or off, and what is going on, without a window.

Purpose: a contributor that never annoys. State owned: none; whether and why contributing is paused, and until
when, is the node's (`swarm_app.node.politeness`).
Callers: `swarm_app.gui.app`.
"""
