"""Purpose: options as data, paths of a profile, the settings file, the node's address file.

State owned: none; it names the files of a profile, and reads and writes the small ones.
Callers: every package but `domain`.
"""
