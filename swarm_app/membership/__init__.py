"""Purpose: who belongs to a swarm: identity, certificates, the list of members, invites, the handshake.

State owned: none in the pure modules below; `vault` keeps the two private keys. Callers: `node` (which alone
holds device key and swarm key) and `bridge` (handshakes and sealed records, with a process key of the child's
own). Imports only `domain`.

- `keys`: Ed25519 with contexts; ids are fingerprints. `certificates`: device, name, role, expiry; chains of
  at most three. `binding`: this libp2p peer id speaks for that device for two hours.
- `statements`, `members`: the numbered, signed list of members, and how two of them merge.
- `handshake`: two members prove themselves to each other. `sealed`: records for the DHT that speak for
  themselves. `credentials`: what a child holds to do both.
- `links`: the invite link. `joining`: redeeming it, being certified anew, and a new key for the swarm.
  `nearby`: asking to join face to face, with six digits.
- `errors`: each refusal by name, with a sentence and a remedy.
"""
