#!/bin/sh
# Makes .venv in the checkout: a Python, the dependencies at the versions of constraints.txt, and
# Homeswarm itself, editable. Called by the Makefile; safe to run again after an interruption.
#
# Read from the environment, all optional:
#   PYTHON                          the Python to use
#   UV_FIND_LINKS, PIP_FIND_LINKS   folders with wheels; a torch wheel there is taken
#   UV_TORCH_BACKEND                which torch to install, by uv's names (cpu, cu130, auto ...); set but
#                                   empty: whatever the index has
set -eu
cd "$(dirname "$0")/../.."

fail() {
    echo "$1" >&2
    exit 1
}

# What pip has been told about this computer's network holds for uv as well, unless uv has been told.
if [ -z "${UV_FIND_LINKS:-}" ] && [ -n "${PIP_FIND_LINKS:-}" ]; then
    UV_FIND_LINKS=$(printf '%s' "$PIP_FIND_LINKS" | tr -s ' ' ',')
    export UV_FIND_LINKS
fi
if [ -z "${UV_DEFAULT_INDEX:-}${UV_INDEX_URL:-}" ] && [ -n "${PIP_INDEX_URL:-}" ]; then
    export UV_DEFAULT_INDEX="$PIP_INDEX_URL"
fi
if [ -z "${UV_INDEX:-}${UV_EXTRA_INDEX_URL:-}" ] && [ -n "${PIP_EXTRA_INDEX_URL:-}" ]; then
    export UV_INDEX="$PIP_EXTRA_INDEX_URL"
fi
if [ -z "${SSL_CERT_FILE:-}" ] && [ -n "${PIP_CERT:-}" ]; then
    export SSL_CERT_FILE="$PIP_CERT"
fi

torch=$(sed -n 's/^torch==//p' constraints.txt)

# True where a folder of UV_FIND_LINKS offers the pinned torch for the Python tag $1 (cp311, cp312).
torch_wheel_for() {
    (
        set -f
        IFS=,
        for folder in ${UV_FIND_LINKS:-}; do
            set +f
            for wheel in "${folder#file://}"/torch-"$torch"[-+]*-"$1"-*.whl; do
                [ -f "$wheel" ] && exit 0
            done
        done
        exit 1
    )
}

# The tag of a Python that Homeswarm runs on, or nothing.
tag_of() {
    "$1" -c 'import sys
if (3, 11) <= sys.version_info[:2] < (3, 13): print("cp%d%d" % sys.version_info[:2])' 2>/dev/null || true
}

python=
local_torch=no
for candidate in ${PYTHON:-python3.12 python3.11 python3 python}; do
    tag=$(tag_of "$candidate")
    [ -n "$tag" ] || continue
    if torch_wheel_for "$tag"; then
        python=$candidate
        local_torch=yes
        break
    fi
    [ -n "$python" ] || python=$candidate
done
[ -n "$python" ] || fail "Homeswarm needs Python 3.11 or 3.12, and neither was found: install one of them, or name it with PYTHON=/path/to/python3.12 make ..."

# uv from PATH, or one of our own that leaves the computer as it is.
uv=$(command -v uv || true)
if [ -z "$uv" ]; then
    uv=build/uv/bin/uv
    if ! "$uv" --version >/dev/null 2>&1; then
        echo "Installing uv into build/uv ..."
        rm -rf build/uv
        "$python" -m venv build/uv >/dev/null 2>&1 ||
            fail "This Python cannot make environments: install uv, or your system's python3-venv package, and run make again."
        build/uv/bin/python -m pip install -qq --disable-pip-version-check uv ||
            fail "uv could not be installed: check the network, or install uv yourself, and run make again."
    fi
fi

# torch: the local wheel where one is offered; else uv looks whether there is a graphics card and
# takes the build for it, so that a computer without one downloads no CUDA.
if [ "$local_torch" = no ]; then
    export UV_TORCH_BACKEND="${UV_TORCH_BACKEND-auto}"
fi
[ -n "${UV_TORCH_BACKEND:-}" ] || unset UV_TORCH_BACKEND

# One environment only, ours: a virtual environment that happens to be active must not be written to.
unset VIRTUAL_ENV CONDA_PREFIX PYTHONHOME PYTHONPATH

wanted=$(tag_of "$python")
if [ "$(tag_of .venv/bin/python)" != "$wanted" ]; then
    "$uv" venv --quiet --clear --python "$("$python" -c 'import sys; print(sys.executable)')" .venv
fi
rm -f .venv/made-for-*
echo "Installing what Homeswarm needs into .venv ..."
"$uv" pip install --quiet --python .venv/bin/python --constraints constraints.txt --build-constraints constraints.txt \
    --requirements pyproject.toml --extra dev ||
    fail "The dependencies could not be installed, see above: check the network and the disk, and run make again."
"$uv" pip install --quiet --python .venv/bin/python --build-constraints constraints.txt --no-deps --editable . ||
    fail "Homeswarm itself could not be installed, see above; run make again."

# Python keeps what it has compiled, so that the next start is quick; done here, once, because several processes
# start at once, and with PYTHONDONTWRITEBYTECODE each would compile everything anew. It shows too that torch and
# the rest load on this computer.
env -u PYTHONDONTWRITEBYTECODE .venv/bin/python -W ignore - <<'CODE' || fail "torch or transformers does not run on this computer, see above."
import compileall, importlib, importlib.util, pathlib
for name in (
    "torch transformers.models.llama.modeling_llama transformers.models.auto.tokenization_auto hivemind gguf "
    "accelerate starlette.applications uvicorn httpx pydantic click rich.live rich.progress psutil"
).split():
    importlib.import_module(name)
compileall.compile_dir(pathlib.Path(importlib.util.find_spec("petals").origin).parent, quiet=2)
CODE
