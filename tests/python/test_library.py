"""The shared library that is missing, foreign or of another version; the notebook; examples of the page on Python."""
import ctypes
import os
import re
import subprocess
import sys

import pytest

import epicycle as ep
from conftest import SOURCE


def imported(path):
    done = subprocess.run([sys.executable, "-c", "import epicycle"], capture_output=True, text=True,
                          env={**os.environ, "EPICYCLE_LIBRARY": str(path)})
    assert done.returncode == 1
    return done.stderr


def test_a_missing_library():
    said = imported("/no/such/libepicycle.so")
    assert "ImportError: the Epicycle library was not found" in said and "/no/such/libepicycle.so: no such file" in said
    assert "EPICYCLE_LIBRARY" in said


def test_no_library_at_all(tmp_path):
    (tmp_path/"text.so").write_text("not a library")
    assert "text.so: " in imported(tmp_path/"text.so")


@pytest.mark.parametrize("code, words", [
    ("int nothing(void) { return 0; }", "none of Epicycle"),
    ("int epi_make(void) { return 0; }", "of an older version"),
    ('int epi_handles(void) { return 99; } const char *epi_version(void) { return "7.0"; }',
     "Epicycle 7.0 has handles 99, this package needs 1"),
])
def test_a_foreign_library(tmp_path, code, words):
    (tmp_path/"f.c").write_text(code)
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", tmp_path/"f.so", tmp_path/"f.c"], check=True)
    assert words in imported(tmp_path/"f.so")


def test_the_version_is_that_of_the_header():
    with open(os.path.join(SOURCE, "include", "epicycle.h")) as f:
        assert f'#define EPI_VERSION "{ep.__version__}"' in f.read()
    assert os.path.exists(os.path.join(os.path.dirname(ep.__file__), "py.typed"))


def test_every_public_name_says_what_it_is():
    for name in ep.__all__:
        assert getattr(ep, name).__doc__, name


def test_the_notebook(tmp_path):
    """Executed as a user would; the picture of matplotlib and the page of the run are in it."""
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor
    book = nbformat.read(os.path.join(SOURCE, "examples", "pendulum.ipynb"), as_version=4)
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    spec = tmp_path/"kernels"/"python3"
    spec.mkdir(parents=True)
    (spec/"kernel.json").write_text('{"argv": ["%s", "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Python 3", '
                                    '"language": "python"}' % sys.executable)
    os.environ["JUPYTER_PATH"] = str(tmp_path)
    ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(book, {"metadata": {"path": str(tmp_path)}})
    outputs = [o for cell in book.cells for o in cell.get("outputs", [])]
    assert not [o for o in outputs if o.output_type == "error"]
    pictures = [o.data["image/png"] for o in outputs if "data" in o and "image/png" in o.data]
    pages = [o.data["text/html"] for o in outputs if "data" in o and "text/html" in o.data]
    assert pictures and len(pictures[0]) > 5000
    assert pages and pages[0].startswith("<iframe srcdoc=") and len(pages[0]) > 20000


def test_the_page_on_python(tmp_path, monkeypatch):
    """Every block of code of docs/python.md runs, in one session, and what it says it prints it prints."""
    with open(os.path.join(SOURCE, "docs", "python.md")) as f:
        blocks = re.findall(r"```python\n(.*?)```", f.read(), re.S)
    assert len(blocks) > 5
    code = "\n".join(blocks)
    monkeypatch.chdir(tmp_path)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == re.findall(r"# prints (.*)", code)


@pytest.mark.parametrize("call", [
    lambda: ep.run("kepler\0nonsense", end=1), lambda: ep.run("kepler", end="1\0 kg"), lambda: ep.run("kepler", **{"e\0x": 0.1}),
    lambda: ep.solve_ivp(lambda t, q: -q, (0, 1), q0=[1], flow="verlet\0", step=0.1), lambda: ep.World(title="a\0b").run(end=1),
    lambda: ep.sweep("kepler", {"e\0": [0.1]}, keep=["x"]), lambda: ep.run("kepler", end=0.1).report("page\0.html")])
def test_a_character_of_number_zero_is_refused(call):
    with pytest.raises(ep.EpicycleError):
        call()
