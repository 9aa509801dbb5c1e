"""Purpose: the only importer of petals and hivemind; translates their types and errors.

State owned: libp2p connections and DHT records. Callers: `blocks` and `engines`.
"""

from swarm_app.bridge import compat

# Before any module here imports petals.
compat.install()
