"""The model commands, from an import to a removal, with damage in between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from swarm_app.cli.main import cli
from tests.families import save_folder

NAME = "tiny"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random-weight Llama in Hugging Face's layout."""
    folder = tmp_path_factory.mktemp("source") / NAME
    save_folder("llama", folder)
    return folder


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def model(models: Path, *argv: str, given: str = "") -> Result:
    command, *rest = argv
    return CliRunner().invoke(cli, ["model", command, "--models", str(models), *rest], input=given)


def test_from_an_import_to_a_removal(source: Path, models: Path) -> None:
    imported = model(models, "import", str(source), "--quant", "int8")
    assert imported.exit_code == 0, imported.stderr
    assert imported.stdout.startswith("tiny: ")

    (listed,) = json.loads(model(models, "list", "--json").stdout)["models"]
    assert (listed["name"], listed["quant"], listed["model_type"]) == ("tiny", "int8", "llama")
    assert listed["id"][:12] in imported.stdout
    table = model(models, "list").stdout
    assert "tiny" in table
    assert "int8" in table

    verified = model(models, "verify", NAME)
    assert (verified.exit_code, verified.stdout.startswith("tiny: all ")) == (0, True)

    assert model(models, "remove", NAME, given="n\n").exit_code == 130
    nobody = model(models, "remove", NAME)
    assert (nobody.exit_code, "Nobody has said yes" in nobody.stderr) == (2, True)
    assert (models / NAME).is_dir()
    assert model(models, "remove", NAME, given="y\n").exit_code == 0
    assert not (models / NAME).exists()
    assert "There is no model" in model(models, "list").stdout


def test_verify_names_the_file_that_does_not_match(source: Path, models: Path) -> None:
    model(models, "import", str(source))
    damaged = models / NAME / "block-00001.safetensors"
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    result = model(models, "verify", NAME)
    assert result.exit_code == 4
    assert result.stderr.splitlines()[-1] == (
        "homeswarm: block-00001.safetensors of the model tiny does not match the checksum. "
        "Import the model again."
    )
    damaged.unlink()
    result = model(models, "verify", NAME)
    assert result.exit_code == 4
    assert "block-00001.safetensors of the model tiny is not on this computer." in result.stderr


def test_a_broken_manifest_is_listed_with_what_is_wrong_and_can_be_removed(
    source: Path, models: Path
) -> None:
    model(models, "import", str(source))
    (models / NAME / "manifest.json").write_text("{}")
    listed = model(models, "list")
    assert listed.exit_code == 0
    assert "tiny: " in listed.stderr
    assert json.loads(model(models, "list", "--json").stdout)["problems"][0]["folder"] == "tiny"
    assert model(models, "remove", "--yes", NAME).exit_code == 0
    assert not (models / NAME).exists()


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("import", "no/such/folder/here"), 4),
        (("verify", "nothing"), 4),
        (("remove", "--yes", "nothing"), 4),
        (("import", "--name", "Not A Name", "."), 2),
        (("import", "--quant", "int7", "."), 2),
        (("import",), 2),
    ],
)
def test_what_cannot_be_done_is_one_sentence(argv: tuple[str, ...], code: int, models: Path) -> None:
    result = model(models, *argv)
    assert result.exit_code == code
    assert result.stderr.startswith("homeswarm: ")
    assert result.stderr.count("\n") == 1
    assert not models.exists() or list(models.iterdir()) == []


def test_the_profile_s_settings_name_the_store(source: Path, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / "settings.toml").write_text(f'[node]\nmodels = "{tmp_path / "elsewhere"}"\n')
    result = CliRunner().invoke(cli, ["model", "import", "--profile", str(profile), str(source)])
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "elsewhere" / NAME / "manifest.json").is_file()
