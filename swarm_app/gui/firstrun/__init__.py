"""The first start: three doors, each a click or two from the first answer.

Purpose: from nothing to a node that answers. State owned: which door was taken, until it has led somewhere.
Callers: `swarm_app.gui.app`.
"""
