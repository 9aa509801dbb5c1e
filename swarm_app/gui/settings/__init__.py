"""The settings page, made from the options' own definitions.

Purpose: every option of the node and the window's few. State owned: what was entered and not yet saved.
Callers: `swarm_app.gui.app`.
"""
