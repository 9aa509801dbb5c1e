"""Engines: what turns a conversation into text.

Purpose: the Engine contract, the text side of an answer (prompt, sampling, detokenizing, stops) and
the engine process, which runs this computer's chats over the swarm. State owned: the sessions of
answers in flight. Callers: `swarm_app.__main__` starts the process; nothing else imports it.
"""
