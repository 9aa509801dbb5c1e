"""The chat page: the list of chats, the conversation, the composer.

Purpose: reading and writing, smooth with long conversations. State owned: the rows that are on the screen,
the draft of each chat. Callers: `swarm_app.gui.window`.
"""
