"""What the computer under us does and has: power, network, whether somebody uses it, memory, processors.

Purpose: the only place that asks which OS this is. `power` tells of sleep, wake, clock steps and
batteries and can delay a sleep; `link` tells of interfaces, addresses and access points; `presence` tells of
a person and of full screens; `priority` lets a process go after others; `allowance` says how much of memory
and processors is for us.
State owned: none that outlives the process; what is held of the system (inhibitors, sockets,
subscriptions) is given back by `close`, and by the system itself when the process dies.
Callers: `node` (it starts and closes the watchers); `blocks`, for its own priority; whoever needs memory;
`bridge`'s callers through plain values.
Imports only `domain` and `config`; nothing heavy at import: D-Bus code is loaded by what needs it.
"""
