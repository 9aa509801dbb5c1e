"""The words everybody uses: spans, routes, errors, the clock.

Purpose: plain values without I/O. State owned: none. Callers: every package;
this one imports nothing of ours.
"""
