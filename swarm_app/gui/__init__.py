"""The desktop app: window, tray, and what a desktop expects of a program.

Purpose: shows what the node knows and asks it for what people want; decides nothing itself. State owned: what
is on the screen, and the few window settings of `swarm_app.gui.memory`.
Callers: `swarm_app.cli.main`, by name. Imports only `localapi.client` and its shapes, `config`, and `domain`.
"""
