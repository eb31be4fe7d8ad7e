"""Builds the package, and uses it as it is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

package = Path(__file__).parents[1]


def test_is_installed_from_its_wheel(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__", ".mypy_cache"))
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(copy)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    (source,) = tmp_path.glob("*.tar.gz")
    assert {"memhall/py.typed", "memhall/_sync/one_memory.py"} <= set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(source) as files:
        names = {name.split("/", 1)[-1] for name in files.getnames()}
    assert {"LICENSE", "README.md", "pyproject.toml", "src/memhall/__init__.py"} <= names
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(venv)], check=True)
    install = [str(venv / "bin" / "pip"), "install", "--quiet", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    program = """
import sys
sys.modules["langgraph"] = sys.modules["agents"] = None
import memhall, memhall.agents, memhall.langgraph
print(memhall.__file__)
memhall.OneMemoryClient("http://127.0.0.1:9", "x").close()
try:
    memhall.langgraph.MemhallStore(memhall.MemoryClient("http://127.0.0.1:9", "x"))
except ImportError as error:
    print(error)
"""
    python = [str(venv / "bin" / "python"), "-I", "-W", "error", "-c", program]
    installed = subprocess.run(python, check=True, capture_output=True, text=True, cwd=tmp_path).stdout
    assert installed.startswith(str(venv)) and "pip install langgraph" in installed
