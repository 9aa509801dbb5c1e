"""Purpose: options as data, paths of a profile, migrations.

State owned: none. Callers: every package but `domain`.
"""
