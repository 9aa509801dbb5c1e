"""Purpose: pure choice of a route: cost model, coverage, which span to take.

State owned: none. Callers: `engines`, `blocks`, `node`.
"""
