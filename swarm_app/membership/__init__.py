"""Purpose: who belongs to a swarm: identity, certificates, the list of members, invites, the handshake.

State owned: none in the pure modules below; `vault` keeps the two private keys. Callers: `node` (which alone
holds device key and swarm key) and `bridge` (handshakes and sealed records, with a process key of the child's
own). Imports only `domain`.

- `keys`: Ed25519 with contexts; ids are fingerprints. `encoding`: bounded, canonical messages. `signed`: what
  all signed records have in common.
- `certificates`: device, name, role, expiry; chains of at most three. `binding`: this libp2p peer id speaks
  for that device for two hours.
- `statements`, `memberlist`: the numbered, signed list of members. `members`: how two of them merge, and
  what a computer holds. `succession`: a new key for the swarm.
- `handshake`: two members prove themselves to each other. `sealed`: records for the DHT that speak for
  themselves. `credentials`: what a child holds to do both.
- `links`: the invite link. `joining`, `admitting`: redeeming it and being certified anew, by its two sides.
  `nearby`: asking to join face to face, with six digits.
- `clocks`: comparing two computers' clocks. `refusals`: how a refusal travels. `errors`: each refusal by
  name, with a sentence and a remedy.
"""
