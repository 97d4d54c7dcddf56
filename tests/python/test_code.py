"""Models in C and sweeps of systems of one's own."""
import ctypes
import os
import subprocess

import numpy as np
import pytest

import epicycle as ep
from test_systems import run_long


@pytest.fixture(scope="module")
def spring(tmp_path_factory):
    """What `epicycle new` prints: m x'' = -k x - c x^3."""
    path = tmp_path_factory.mktemp("model")/"spring.c"
    path.write_text(subprocess.run([os.environ["EPICYCLE"], "new", "spring"], capture_output=True, text=True, check=True).stdout)
    return path


def test_a_model_in_c_runs_as_by_the_command(spring):
    r = ep.load(spring, k="4 N/m", c=0).run(end=3, flow="verlet", step=0.01, every=0.5)
    said = subprocess.run([os.environ["EPICYCLE"], "run", spring, "k=4", "c=0", "--end", "3", "--flow", "verlet", "--step", "0.01",
                           "--every", "0.5", "--out", "-", "--quiet"], capture_output=True, text=True, check=True).stdout
    rows = np.array([[float(x) for x in line.split(",")] for line in said.splitlines()[1:]])
    assert (r.data == rows).all() and r.names == said.splitlines()[0].split(",") and r.units["x"] == "m"
    exact = ep.run(spring, k=4, c=0, end=3, rtol=1e-9)
    assert abs(exact["x"] - np.cos(2*exact.t)).max() < 1e-8 and "<html" in exact.report()
    assert ep.check(spring)["flow"] == "verlet"


def test_a_sweep_of_a_model_in_c(spring):
    s = ep.sweep(spring, {"k": [1, 4, 9]}, keep=["x", "energy.max"], c=0, end=2, flow="symmetric(verlet, order=8)", step=0.02)
    assert abs(s["x"] - np.cos(2*np.sqrt([1, 4, 9]))).max() < 1e-8 and (s.outcome == "done").all()


def test_what_is_wrong_with_code(spring, tmp_path, monkeypatch):
    with pytest.raises(ep.EpicycleError, match="'kk' is not a parameter|has no"):
        ep.run(spring, kk=3)
    with pytest.raises(ep.EpicycleError, match="lets the mass run away"):
        ep.run(spring, c=-1)
    with pytest.raises(FileNotFoundError, match="there is no file .*epicycle new"):
        ep.load(tmp_path/"none.c")
    broken = tmp_path/"broken.c"
    broken.write_text("int f(void) { return 1 }\n")
    with pytest.raises(ep.EpicycleError, match="does not compile(.|\n)*error"):
        ep.load(broken)
    empty = tmp_path/"empty.c"
    empty.write_text("int f(void) { return 1; }\n")
    with pytest.raises(ep.EpicycleError, match="holds no model: end it with EPI_MODEL"):
        ep.load(empty)
    other = tmp_path/"other.c"
    other.write_text("#include <epicycle.h>\nstatic const epi_abi epicycle_abi_other = {.size = 1};\n"
                     "const char epicycle_model[8], epicycle_abi[512] = {9};\n")
    with pytest.raises(ep.EpicycleError, match="compile"):
        ep.load(other)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(ep.EpicycleError, match="needs a C compiler and 'no-such-compiler' cannot be started"):
        ep.load(spring)


def test_a_changed_file_is_compiled_again(spring, tmp_path):
    path = tmp_path/"changed.c"
    path.write_text(spring.read_text())
    first = ep.run(path, c=0, end=1, rtol=1e-8)["x"][-1]
    path.write_text(spring.read_text().replace("f[0] = -p[K]*q[0]", "f[0] = -4*p[K]*q[0]"))
    os.utime(path, ns=(1, 1))
    assert abs(first - np.cos(1)) < 1e-7 and abs(ep.run(path, c=0, end=1, rtol=1e-8)["x"][-1] - np.cos(2)) < 1e-7


# ---- sweeps of systems ----
def oscillator(k, c=0.0):
    return ep.System(lambda t, q: -k*q, drag=lambda t, q, v: -c*v)


def test_a_sweep_of_a_system():
    k, c = np.array([1.0, 4, 9]), np.array([0.0, 0.2])
    s = ep.sweep(oscillator, {"k": k, "c": c}, keep=["q0", "v0", "q0.max", "nfev"], t_span=(0, 2), q0=[1], v0=[0], rtol=1e-9)
    assert len(s) == 6 and np.allclose(s["k"], np.repeat(k, 2)) and np.allclose(s["c"], np.tile(c, 3)) and (s.outcome == "done").all()
    w = np.sqrt(s["k"] - s["c"]**2/4)
    exact = np.exp(-s["c"])*(np.cos(2*w) + s["c"]/(2*w)*np.sin(2*w))
    assert abs(s["q0"] - exact).max() < 1e-8 and (s["q0.max"] == 1).all() and (s["nfev"] > 10).all()
    forces = ep.sweep(lambda k: lambda t, q: -k*q, {"k": k}, t_span=(0, 1), q0=[1], rtol=1e-9)
    assert list(forces.kept) == ["q0", "v0"] and abs(forces["q0"] - np.cos(np.sqrt(k))).max() < 1e-8
    starts = ep.sweep(lambda a: lambda t, q: -q, {"a": [0.5, 2]}, keep="q0.first", t_span=lambda a: (0, a), q0=lambda a: [a], rtol=1e-9)
    assert (starts["q0.first"] == [0.5, 2]).all()
    rates = ep.sweep(lambda k: lambda t, y: -k*y, {"k": k}, keep=["z0", "t"], t_span=(0, 1), y0=[1.0], rtol=1e-9)
    assert abs(rates["z0"] - np.exp(-k)).max() < 1e-8 and (rates["t"] == 1).all()


def test_cases_that_go_wrong_have_their_outcome():
    s = ep.sweep(lambda h: lambda t, q: [np.nan if t > h else 0.0], {"h": [0.5, 2]}, t_span=(0, 1), q0=[1], v0=[1], flow="verlet", step=0.1)
    assert s.outcome.tolist() == ["failed", "done"] and "force" in s.why[0] and 1 not in s.why
    s = ep.sweep(lambda w: lambda t, q: -w*w*q, {"w": [1, 100]}, t_span=(0, 1), q0=[1], v0=[1], flow="verlet", step=0.1)
    assert s.outcome.tolist()[1] == "refused" and "too long" in s.why[1] and np.isnan(s["q0"][1])


def test_compiled_systems_are_swept_in_threads(compiled):
    f = compiled.pendulum
    f.restype, f.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p]
    over = {"a": np.linspace(0.1, 2, 20)}
    given = dict(keep=["q0"], t_span=(0, 10), q0=lambda a: [a], v0=[0], flow="verlet", step=0.001)
    one, many = (ep.sweep(lambda a: ep.System(f), over, workers=n, **given) for n in (1, 4))
    assert (one["q0"] == many["q0"]).all() and len(set(one["q0"])) == 20


@pytest.mark.parametrize("call, words", [
    (lambda: ep.sweep(ep.System(lambda t, q: -q), {"k": [1]}, t_span=(0, 1), q0=[1]), "of a function that makes it"),
    (lambda: ep.sweep(oscillator, {"k": [1]}, q0=[1]), "needs its t_span"),
    (lambda: ep.sweep(oscillator, {"k": "1:3:1"}, t_span=(0, 1), q0=[1]), "give the numbers themselves"),
    (lambda: ep.sweep(oscillator, {"k": []}, t_span=(0, 1), q0=[1]), "a list of numbers is wanted"),
    (lambda: ep.sweep(oscillator, {"k": [1]}, keep=["x"], t_span=(0, 1), q0=[1]), "there is no 'x' to keep"),
    (lambda: ep.sweep(oscillator, {"k": [1]}, t_span=(0, 1), q0=[1], workers=4), "workers are for compiled functions"),
    (lambda: ep.sweep(oscillator, {"k": [1]}, t_span=(0, 1), q0=[1], samples=4), "samples is for a model by its name"),
    (lambda: ep.sweep(oscillator, {"j": [1]}, t_span=(0, 1), q0=[1]), "unexpected keyword argument 'j'"),
])
def test_sweeps_that_cannot_be(call, words):
    with pytest.raises((ep.EpicycleError, TypeError), match=words):
        call()


def test_ctrl_c_stops_the_threads():
    more = ("from ctypes import *\n"
            "import subprocess, tempfile\n"
            "d = tempfile.mkdtemp()\n"
            "open(d + '/f.c', 'w').write('int f(void *s, double t, const double *q, double *a) { a[0] = -q[0]; return 0; }')\n"
            "subprocess.run([os.environ.get('CC', 'cc'), '-shared', '-fPIC', '-o', d + '/f.so', d + '/f.c'], check=True)\n"
            "f = CDLL(d + '/f.so').f\n"
            "f.restype, f.argtypes = c_int, [c_void_p, c_double, c_void_p, c_void_p]\n")
    out = run_long('ep.sweep(lambda k: ep.System(f), {"k": range(9)}, t_span=(0, 1e8), q0=[1], v0=[0], flow="verlet", step=0.01, '
                   't_eval=[1e8], workers=3)', more=more)
    assert "interrupted" in out and "goes on True" in out
