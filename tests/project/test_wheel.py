"""The wheel is small, and has everything that the commands need."""

from pathlib import Path
from zipfile import ZipFile

from hatchling.builders.wheel import WheelBuilder

import numduel

ROOT = Path(__file__).parents[2]
MAX_BYTES = 3_000_000


def test_the_wheel_is_small_and_whole(tmp_path: Path) -> None:
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    path = Path(built)
    assert path.stat().st_size <= MAX_BYTES
    assert path.name == f"numduel-{numduel.__version__}-py3-none-any.whl"
    with ZipFile(path) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        told = {name: wheel.read(name).decode() for name in wheel.namelist() if ".dist-" in name}
    source = ROOT / "src"
    files = {
        file.relative_to(source).as_posix()
        for file in _files(source / "numduel")
        if file.suffix != ".pyc"
    }
    assert names == files
    for page in ("rules/duel.md", "lessons/duel.md", "plans/duel.md"):
        assert f"numduel/games/{page}" in names, "links to docs are followed"
    (entry_points,) = (text for name, text in told.items() if name.endswith("entry_points.txt"))
    assert "numduel = numduel.__main__:main" in entry_points


def _files(folder: Path) -> list[Path]:
    """All files below a folder, behind links, too."""
    found = []
    for path in folder.iterdir():
        found += _files(path) if path.is_dir() else [path]
    return found
