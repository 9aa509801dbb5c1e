"""What a node starts from: the models that its options name, and the plan that they make.

Callers: `swarm_app.node.process`.
"""

from __future__ import annotations

import os

from swarm_app.config import localfile, schedule
from swarm_app.config.options import NodeOptions
from swarm_app.config.paths import ProfilePaths
from swarm_app.domain.errors import BadRequest, DiskFull
from swarm_app.domain.span import Span
from swarm_app.models.cacheprice import price_of
from swarm_app.models.localmodels import LocalModels
from swarm_app.models.store import ModelStore
from swarm_app.node.politeness import Rules
from swarm_app.node.state import NO_MODEL, LocalModel, ModelInfo, Plan


def find_model(options: NodeOptions) -> ModelInfo:
    """The model that the options name, or the only one in the store; NO_MODEL where there is none to share
    and none was named: then this computer's own model answers alone.

    Raises ModelNotFound, BadRequest for a span that the model does not have, or what is wrong with the model.
    """
    store = ModelStore(options.models)
    if options.model is None:
        models = store.list()
        for trouble in store.problems().values() if not models else ():
            raise trouble
        if not models:
            return NO_MODEL
        if len(models) > 1:
            names = ", ".join(model.name for model in models)
            raise BadRequest(f"There are several models: {names}.", remedy="Choose one with --model.")
        model = models[0]
    else:
        model = store.find(options.model)
    manifest = model.manifest
    if isinstance(options.span, Span) and options.span.end > manifest.num_blocks:
        raise BadRequest(
            f"--span: the model {model.name} has blocks 0:{manifest.num_blocks}, not {options.span}.",
            param="span",
        )
    return ModelInfo(
        model.name,
        model.model_id,
        manifest.num_blocks,
        str(manifest.quant),
        os.path.abspath(model.dir),
        price_of(model),
    )


def plan_of(
    options: NodeOptions, model: ModelInfo, paths: ProfilePaths, *, alone: bool, processors: int
) -> Plan:
    """What the options ask of this node. `alone`: it founds an open household. `processors`: what it may use
    where that is less than the computer has, else 0; the libraries that compute do not know of it.
    """
    span = options.span if isinstance(options.span, Span) and model.there else None
    if options.span == "auto" and alone and model.there:
        span = Span(0, model.num_blocks)  # whoever founds a household is alone in it
    return Plan(
        span=span,
        serve=options.span != "none" and model.there,
        join=options.join,
        listen=options.listen,
        swarm_port=options.swarm_port,
        cache_tokens=options.cache_tokens,
        context_tokens=options.context_tokens,
        threads=options.threads or processors,
        identities=(str(paths.identity_file("blocks")), str(paths.identity_file("engine"))),
        policy=options.policy,
        preset=options.preset,
        standby=options.standby,
        keep_awake=options.keep_awake,
        fallback=options.fallback,
        prefer=options.prefer,
        keep_local=options.keep_local,
        takeover_s=options.takeover_ms / 1000,
        min_speed=float(options.min_speed),
        local_idle_s=float(options.local_idle_s),
        rules=Rules(
            when_active=options.when_active,
            when_full_screen=options.when_full_screen,
            on_battery=options.on_battery,
            on_metered=options.on_metered,
            schedule=schedule.parse(options.schedule),
        ),
        free_after_s=float(options.free_after_s),
    )


def find_local(options: NodeOptions, paths: ProfilePaths) -> LocalModel | None:
    """The local model that was chosen, else the embedded one, else None.

    One that was chosen and is not there any more is not replaced: its first use says so.
    """
    models = LocalModels(options.local_models)
    name = options.local_model or localfile.read(paths.local_file)
    if name is not None:
        return LocalModel(name, str(models.path_of(name)))
    embedded = next((model for model in models.list() if model.embedded), None)
    return None if embedded is None else LocalModel(embedded.name, str(embedded.path))


def use_local(options: NodeOptions, paths: ProfilePaths, name: str) -> LocalModel:
    """Find a local model and note the choice for the next start. Raises ModelNotFound, and DiskFull where it
    cannot be noted: forgotten at the next start, it would be a change of model without a word."""
    model = LocalModels(options.local_models).find(name)
    try:
        localfile.write(paths.local_file, name)
    except OSError as error:
        raise DiskFull(
            f"The choice of a local model cannot be written to {paths.local_file}: {error.strerror}."
        ) from None
    return LocalModel(model.name, str(model.path))
