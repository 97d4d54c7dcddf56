"""Models, files, worlds, sweeps, the catalogue; tables and pictures."""
import copy
import os
import pickle
import re

import numpy as np
import pytest

import epicycle as ep
from epicycle import _library
from conftest import SOURCE


def test_a_model_by_name():
    r = ep.run("kepler", e=0.6, end=10, flow="symmetric(verlet, order=8)", step=0.05, every=0.5)
    assert r.names[:5] == ["t", "x", "y", "vx", "vy"] and r.status == "done" and len(r.t) == 21
    assert abs(r["energy"] + 0.5).max() < 1e-6 and r.units["x"] == "m"
    assert r.stats["exact"]["max_error"] < 1e-5
    with pytest.raises(KeyError, match="there is no column 'q'"):
        r["q"]
    assert "kepler(e=0.6)" in repr(r)


def over_a_pickle(x):
    return pickle.loads(pickle.dumps(x))


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, over_a_pickle])
def test_a_result_is_copied_and_pickled(act):
    r = ep.run("kepler", e=0.6, end=4, flow="at(verlet, of=y)", step=0.001)
    c = act(r)
    assert (c.data == r.data).all() and c.stats == r.stats and c.units == r.units and repr(c) == repr(r)
    assert list(c.columns) == r.names and (c["x"] == r["x"]).all() and np.shares_memory(c["x"], c.data)
    assert all(np.array_equal(c.events[k], r.events[k], equal_nan=True) for k in r.events) and len(c.events["t"]) > 0
    if act is over_a_pickle:
        with pytest.raises(ValueError, match="write the report where it ran"):
            c.report()
        assert c._repr_html_() is None
    else:
        assert "<html" in c.report()
    c.close()
    assert (act(c)["x"] == r["x"]).all()


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, over_a_pickle])
def test_results_of_a_file_and_of_a_failure_are_copied(act, tmp_path):
    runs = act(ep.load(os.path.join(SOURCE, "examples", "compare.yaml")).run(pictures=False))
    assert len(runs) > 1 and all(len(r.t) > 1 and runs[r.name] is r for r in runs)
    path = tmp_path/"late.yaml"
    path.write_text("model: kepler\nflow: verlet\nstep: 0.01\nend: 1\n")
    error = act(ep.RunError("it failed", ep.load(path).run()))
    assert str(error) == "it failed" and error.result.t[-1] == 1


def test_units_in_parameters_and_times():
    r = ep.run("bearing", speed="12000 rpm", end="1 ms")
    assert r.t[-1] == 0.001 and r.status == "done"
    same = ep.run("bearing", speed=12000*2*np.pi/60 if ep.models["bearing"].params[0]["unit"] == "rad/s" else "12000 rpm", end=0.001)
    assert np.allclose(r.data[-1], same.data[-1], rtol=1e-6, atol=1e-9)
    with pytest.raises(ep.EpicycleError, match="speed"):
        ep.run("bearing", speed="12000 kg", end="1 ms")
    with pytest.raises(ep.EpicycleError, match="did you mean"):
        ep.run("keplr", end=1)
    with pytest.raises(ep.EpicycleError, match="has no"):
        ep.run("kepler", ee=0.5, end=1)
    with pytest.raises(TypeError, match="neither a number nor a text"):
        ep.run("kepler", e=None.__class__, end=1)


def test_a_tolerance_is_chosen_for():
    r = ep.run("pendulum", rtol=1e-8, end=10)
    assert r.stats["choice"] is not None and r.flow.startswith("adams(")
    c = ep.check("pendulum", rtol=1e-8, end=10)
    assert c["flow"] == r.flow and c["status"] == "ready" and c["nodes"]


def test_a_run_that_fails_says_so_and_has_its_rows():
    w = ep.World().body("a", ball="1 cm", mass=1).load("pull", body="a", force="sqrt(1 - t/1 s)*1 N", along="x")
    with pytest.raises(ep.RunError, match="t = ") as caught:
        w.run(end=2, flow="verlet", step=0.1)
    assert 0.9 < caught.value.result.t[-1] < 1.1 and caught.value.result.status == "failed"
    assert isinstance(caught.value, RuntimeError) and caught.value.cause in (ep.Cause.REFUSED, ep.Cause.MODEL_ENDS, ep.Cause.NOT_FINITE)


@pytest.mark.parametrize("said, kind, cause", [
    (dict(model="kepler", flow="verlett", step=0.1), ValueError, ep.Cause.COMPOSITION),
    (dict(model="kepler", flow="verlet(hmm)", step=0.1), ValueError, ep.Cause.COMPOSITION),
    (dict(model="kepler", flow="verlet", step=-1), ValueError, ep.Cause.REQUEST),
    (dict(model="rotor", step=6), ValueError, ep.Cause.UNSTABLE),
    (dict(model="kepler", rtol=1e-16), RuntimeError, ep.Cause.ROUNDING)])
def test_an_exception_is_of_the_kind_of_its_cause(said, kind, cause):
    with pytest.raises(kind) as caught:
        ep.run(**{"end": 10, **said})
    assert isinstance(caught.value, ep.EpicycleError) and caught.value.cause is cause
    assert isinstance(caught.value, RuntimeError) == (kind is RuntimeError)


def test_no_memory_is_a_memory_error():
    error = _library.error_of("out of memory", ep.Cause.MEMORY)
    assert isinstance(error, MemoryError) and isinstance(error, ep.EpicycleError) and isinstance(error, ep.OutOfMemory)


def test_causes_are_those_of_the_header():
    header = open(os.path.join(SOURCE, "include", "epicycle", "cause.h")).read()
    body = header[header.index("typedef enum epi_cause"):header.index("} epi_cause;")]
    assert re.findall(r"^  EPI_(\w+)", body, re.M) == [c.name for c in ep.Cause]


def test_a_file_and_its_runs():
    r = ep.load(os.path.join(SOURCE, "examples", "pendulum.yaml")).run()
    assert r.title == "A pendulum upside down" and r.status == "done"
    f = ep.load(os.path.join(SOURCE, "examples", "compare.yaml"))
    assert f.runs > 1 and "runs:" in f.yaml()
    results = f.run()
    assert len(results) == f.runs and results[0].name and results[results[1].name] is results[1]
    with pytest.raises(KeyError, match="there is no run"):
        results["none"]
    assert "<iframe" in results._repr_html_()
    with pytest.raises(FileNotFoundError, match="there is no model file"):
        ep.load("nothing.yaml")


def test_mistakes_in_a_file_have_their_lines(tmp_path):
    path = tmp_path/"wrong.yaml"
    path.write_text("model: kepler\nstpe: 1\nflwo: verlet\n")
    with pytest.raises(ep.EpicycleError) as caught:
        ep.load(path)
    assert "wrong.yaml:2" in str(caught.value) and "wrong.yaml:3" in str(caught.value)


def test_a_warning_is_of_the_line_that_called():
    for call in (lambda: ep.load(os.path.join(SOURCE, "examples", "compare.yaml")).run(),
                 lambda: ep.run("kepler", e=0.6, flow="verlet", step=0.1, end=50)):
        with pytest.warns(ep.EpicycleWarning) as caught:
            call()
        assert all(w.filename == __file__ for w in caught)


def test_parameters_of_a_file(tmp_path):
    path = tmp_path/"drop.yaml"
    path.write_text("parameters: {g: 9.81 m/s^2}\nworld:\n  gravity: g\n  bodies:\n    - {name: a, ball: 1 cm, mass: 1 kg, at: [0, 0, 1]}\n"
                    "end: 0.1\n")
    for g in (9.81, 1.62):
        r = ep.load(path, g=g).run()
        assert abs(r["a.z"][-1] - (1 - g*0.005)) < 1e-9


def pendulum_world():
    w = ep.World("A pendulum", gravity=9.81)
    w.body("bob", ball="10 mm", mass="20 g", at=[0.5, 0, 0])
    w.joint("pin", a="bob", hold="hinge", at=[0, 0, 0], axis="y")
    return w


def test_a_world():
    """A ball on a pin: a physical pendulum with g/l reduced by its own inertia, against its equation."""
    from scipy.integrate import solve_ivp
    r = pendulum_world().run(end="1 s", rtol=1e-8)
    l, radius = 0.5, 0.01
    w2 = 9.81*l/(l*l + 0.4*radius*radius)
    exact = solve_ivp(lambda t, y: [y[1], -w2*np.sin(y[0])], (0, 1), [np.pi/2, 0], method="DOP853", rtol=1e-12, atol=1e-12).y[0, -1]
    assert abs(r["bob.x"][-1] - l*np.sin(exact)) < 1e-7 and abs(r["bob.z"][-1] + l*np.cos(exact)) < 1e-7
    assert "hinge" in pendulum_world().yaml()
    with pytest.raises(ep.EpicycleError, match="bobb"):
        pendulum_world().joint("other", a="bobb", hold="hinge").run(end=1)


def test_a_world_with_contacts():
    w = ep.World(gravity=9.81).body("ball", ball="20 mm", mass=0.1, at=[0, 0, 0.06])
    w.contact("floor", shape="sphere-plane", a="ball", law={"K": 1e8, "chi": 0.1})
    r = w.run(end=0.3, every="1 ms")
    fall = np.sqrt(2*0.04/9.81)
    before = r.t < fall
    assert abs(r["ball.z"][before] - (0.06 - 9.81*r.t[before]**2/2)).max() < 1e-6
    # m v^2/2 = 2/5 K depth^(5/2), where nothing is lost
    depth = (5/4*0.1*2*9.81*0.04/1e8)**0.4
    assert 0.5*depth < 0.02 - r["ball.z"].min() < depth and 0.04 < r["ball.z"][r.t > fall].max() < 0.06


def test_tables_and_pictures(tmp_path):
    r = ep.run("kepler", e=0.6, end=10)
    pandas = pytest.importorskip("pandas")
    assert isinstance(r.frame(), pandas.DataFrame) and list(r.frame()) == r.names and len(r.frame()) == len(r.t)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ax = r.plot("x", "y")
    assert len(ax.lines) == 2 and ax.get_legend().get_texts()[0].get_text() == "x (m)"
    with pytest.raises(ep.EpicycleError, match="there is no column 'q'"):
        r.plot("q")
    text = r.report(tmp_path/"page.html")
    assert text == (tmp_path/"page.html").read_text() and "<html" in text
    s = ep.solve_ivp(lambda t, q: -q, (0, 1), q0=[1], v0=[0])
    assert list(s.frame()) == ["t", "q0", "v0"] and len(s.plot().lines) == 1
    r.close()
    assert r["x"].size
    with pytest.raises(ValueError, match="closed"):
        r.report()
    with pytest.raises(ep.EpicycleError, match="pictures"):
        ep.run("kepler", end=1, pictures=False).report()


def test_a_sweep():
    """The period of a Kepler orbit is 2 pi sqrt(a^3/mu), whatever e: after it the orbit is closed."""
    s = ep.sweep("kepler", {"e": "0.1:0.5:0.1", "mu": [1, 4]}, keep=["x", "energy.max"], flow="symmetric(verlet, order=8)", step=0.01,
                 end=2*np.pi)
    assert len(s) == 10 and (s.outcome == "done").all()
    assert np.allclose(s["e"], np.repeat([0.1, 0.2, 0.3, 0.4, 0.5], 2)) and np.allclose(s["mu"], np.tile([1, 4], 5))
    one = ep.run("kepler", e=0.3, mu=4, flow="symmetric(verlet, order=8)", step=0.01, end=2*np.pi, pictures=False)
    assert abs(s["x"][5] - one["x"][-1]) < 1e-12
    pytest.importorskip("pandas")
    assert list(s.frame()) == ["e", "mu", "x", "energy.max", "outcome"]
    drawn = ep.sweep("kepler", {"e": "uniform(0.1, 0.5)"}, samples=6, seed=3, end=1)
    assert len(drawn) == 6 and (drawn["e"] > 0.1).all() and (drawn["e"] < 0.5).all() and len(set(drawn["e"])) == 6
    again = ep.sweep("kepler", {"e": "uniform(0.1, 0.5)"}, samples=6, seed=3, end=1, workers=1)
    assert (drawn["x"] == again["x"]).all()
    with pytest.raises(ep.EpicycleError, match="did you mean"):
        ep.sweep("kepler", {"ee": [1, 2]}, end=1)


@pytest.mark.parametrize("call, words", [
    (lambda: ep.run("kepler", workers=3, end=1), "workers is for a sweep"),
    (lambda: ep.run("kepler", samples=3, end=1), "samples is for a sweep"),
    (lambda: ep.run("kepler", flow="auto", step=0.1, end=1), "flow=auto chooses its steps"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, flow="auto", step=0.1, end=1), "flow=auto chooses its steps"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, fast=True, end=1), "fast is for one run"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, multipliers=True, end=1), "multipliers is for one run"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, motion="slow", end=1), "motion is for one run"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, force=True, end=1), "force is for one run"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, pictures=True, end=1), "pictures is for one run"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, samples=3, end=1), "samples are of what is drawn"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, seed=3, end=1), "seed is of what is drawn"),
    (lambda: ep.sweep("kepler", {"e": [0.1]}, latin=True, end=1), "latin is of what is drawn"),
    (lambda: ep.sweep(os.path.join(SOURCE, "examples", "compare.yaml"), {"step": [0.1]}), "runs, and a sweep is of one"),
])
def test_what_would_change_nothing_is_refused(call, words):
    with pytest.raises(ep.EpicycleError, match=words):
        call()


def test_auto_in_a_sweep_is_a_tolerance():
    auto = ep.sweep("pendulum", {"q0": [0.5, 1.0]}, keep=["q"], flow="auto", end=5)
    given = ep.sweep("pendulum", {"q0": [0.5, 1.0]}, keep=["q"], rtol=1e-6, end=5)
    assert (auto["q"] == given["q"]).all() and (auto.outcome == "done").all()


def test_all_runs_of_a_file_are_checked():
    path = os.path.join(SOURCE, "examples", "compare.yaml")
    told = ep.check(path)
    assert isinstance(told, list) and len(told) == ep.load(path).runs and all(t["flow"] for t in told)


def test_a_sweep_of_a_world(tmp_path):
    path = tmp_path/"drop.yaml"
    path.write_text("world:\n  gravity: 10\n  bodies:\n    - {name: a, ball: 1 cm, mass: 1 kg, at: [0, 0, 1]}\n"
                    "  loads:\n    - {name: push, body: a, force: [2, 0, 0]}\nflow: verlet\nstep: 0.01\nend: 0.1\n")
    s = ep.sweep(path, {"bodies.a.mass": [1, 2, 4]}, keep=["a.x"])
    assert np.allclose(s["a.x"], 0.01/np.array([1, 2, 4]))


def test_the_catalogue():
    assert "kepler" in ep.models and ep.models.kepler is ep.models["kepler"] and ep.models.van_der_pol.name == "van-der-pol"
    assert "e = " in ep.models.kepler.__doc__ and "kepler" in repr(ep.models)
    assert "symplectic" in ep.methods.verlet.claims and "example: " in ep.methods.verlet.__doc__
    assert ep.methods["hmm"].kind == "average" and len(ep.methods) > 40 and "bearing" in dir(ep.models)
    with pytest.raises(KeyError, match="did you mean kepler"):
        ep.models["keplr"]
    assert ep.models.pendulum(end=1).status == "done"
    with pytest.raises(TypeError, match="is a method"):
        ep.methods.verlet()


def test_a_sweep_follows_the_formulas_of_its_file(tmp_path):
    path = tmp_path / "cart.yaml"
    path.write_text("""parameters: {T: 2 s, m: 3 kg/s, f: 6 N/s}
world:
  gravity: 0
  bodies: [{name: cart, mass: m*T, inertia: 1}]
  loads: [{body: cart, force: f*T, along: x}]
flow: verlet
end: T
step: T/100
""")
    s = ep.sweep(path, {"T": [1, 2, 4]}, keep=["t", "steps", "cart.vx"])
    np.testing.assert_allclose([s["t"], s["steps"], s["cart.vx"]], [[1, 2, 4], [100, 100, 100], [2, 4, 8]], rtol=1e-12)
    s = ep.sweep(path, {"T": [1, 2]}, keep=["t", "steps"], end=2, step=0.1)
    np.testing.assert_allclose([s["t"], s["steps"]], [[2, 2], [20, 20]], rtol=1e-12)
    assert list(ep.sweep(path, {"T": [1, 2], "end": [3]}, keep=["t"])["t"]) == [3, 3]
    with pytest.raises(ep.EpicycleError, match="tol = 1e-06 chooses a flow in each case, and verlet is given"):
        ep.sweep(path, {"T": [1, 2]}, rtol=1e-6)


def test_notes_of_a_file(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text("parameters: {old: 2 kg}\nworld: {bodies: [{name: cart, mass: 1, inertia: 1}]}\n")
    with pytest.warns(ep.EpicycleWarning, match="one.yaml:1: the parameter old stands nowhere else"):
        assert len(ep.load(path).notes) == 1
