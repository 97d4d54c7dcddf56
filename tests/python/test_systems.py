"""Functions of the user's: compiled ones of every kind, those that raise, those that return nonsense; flows and who may use them."""
import copy
import ctypes
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
import weakref

import numpy as np
import pytest

import epicycle as ep


def pendulum(t, q):
    return -np.sin(q)


# ---- compiled ----
def ctypes_force(compiled):
    f = compiled.pendulum
    f.restype, f.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p]
    return f


def capsule_force(compiled):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.cast(compiled.pendulum, ctypes.c_void_p), None, None)


def cffi_force(compiled):
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    return ffi.cast("int (*)(void *, double, const double *, double *)", ctypes.cast(compiled.pendulum, ctypes.c_void_p).value)


def scipy_force(compiled):
    from scipy import LowLevelCallable
    return LowLevelCallable(ctypes_force(compiled))


def numba_force(compiled):
    numba = pytest.importorskip("numba")
    from numba import types
    signature = types.int32(types.voidptr, types.float64, types.CPointer(types.float64), types.CPointer(types.float64))

    @numba.cfunc(signature)
    def force(s, t, q, f):
        f[0] = -np.sin(q[0])
        return 0
    return force


@pytest.mark.parametrize("kind", [ctypes_force, capsule_force, cffi_force, scipy_force, numba_force])
def test_compiled_forces_have_the_bits_of_c(kind, compiled):
    s = ep.solve_ivp(kind(compiled), (0, 10), q0=[1], v0=[0], flow="verlet", step=0.01)
    r = ep.solve_ivp(lambda t, q: [-np.sin(q[0])], (0, 10), q0=[1], v0=[0], flow="verlet", step=0.01)
    assert abs(s.y - r.y).max() < 1e-12 and s.nfev == r.nfev == 1001


def test_compiled_events(compiled):
    f = compiled.crossing
    f.restype, f.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p]
    s = ep.solve_ivp(lambda t, q: -q, (0, 3), q0=[1], v0=[0], rtol=1e-10, events=f)
    assert abs(s.t_events[0] - [np.pi/2]).max() < 1e-9


def test_a_compiled_function_of_another_signature(compiled):
    f = compiled.wrong
    f.argtypes = [ctypes.c_void_p, ctypes.c_double]
    with pytest.raises(ep.EpicycleError, match="takes 2 arguments, and force is called with 4"):
        ep.System(f)


# ---- functions that raise ----
class Mine(Exception):
    pass


def broken(t, q):
    if t > 1:
        raise Mine("at", t)
    return -q


@pytest.mark.parametrize("flow, step", [("verlet", 0.1), ("auto", None), ("tolerance(dop853, rtol=1e-6)", None), ("gauss(stages=2)", 0.1)])
def test_what_a_force_raises_comes_back_with_its_traceback(flow, step):
    with pytest.raises(Mine) as caught:
        ep.solve_ivp(broken, (0, 3), q0=[1], v0=[0], flow=flow, step=step)
    assert caught.value.args[0] == "at"
    assert "broken" in [f.name for f in traceback.extract_tb(caught.value.__traceback__)]


def test_every_function_may_raise():
    def no(*_):
        raise Mine("no")
    def force(t, q):
        return -q
    base = dict(q0=[1.0, 0], v0=[0, 1.0], flow="verlet", step=0.1)
    for system in (ep.System(force, energy=no), ep.System(force, drag=no), ep.System(force, mass_solve=no),
                   ep.System(force, constraint=lambda t, q: [q @ q - 1], jacobian=no), ep.System(forced=no, phase_rate=10)):
        with pytest.raises(Mine):
            ep.solve_ivp(system, (0, 1), **{**base, "flow": "rk4" if "velocity_force" in system.functions else "verlet"})
    with pytest.raises(Mine):
        ep.solve_ivp(force, (0, 1), events=no, **base)


@pytest.mark.parametrize("what, kind, words", [
    (lambda t, q: None, TypeError, "force returned None"),
    (lambda t, q: 1.0, ValueError, r"force returned the shape \(\), and \(2,\) is wanted"),
    (lambda t, q: [1.0], ValueError, r"force returned the shape \(1,\)"),
    (lambda t, q: np.zeros((2, 1)), ValueError, r"force returned the shape \(2, 1\)"),
    (lambda t, q: [1j, 0], TypeError, "complex"),
    (lambda t, q: ["a", "b"], TypeError, "real numbers are wanted"),
    (lambda t: [0, 0], TypeError, "positional argument"),
])
def test_forces_that_return_nonsense(what, kind, words):
    with pytest.raises(kind, match=words):
        ep.solve_ivp(what, (0, 1), q0=[1, 0], v0=[0, 1], flow="verlet", step=0.1)


@pytest.mark.parametrize("event, kind, words", [
    (lambda t, y: np.nan if t > 0.5 else 1.0, ValueError, r"events\[0\] is not a number at t = "),
    (lambda t, y: y[0] > 0.5, TypeError, r"events\[0\] returned (True|False): let it return a number that goes through zero"),
])
def test_events_without_a_sign_are_no_events(event, kind, words):
    with pytest.raises(kind, match=words):
        ep.solve_ivp(lambda t, q: -q, (0, 3), q0=[1], v0=[0], flow="verlet", step=0.1, events=event)


def test_a_mass_that_is_not_symmetric():
    with pytest.raises(ValueError, match="not symmetric"):
        ep.solve_ivp(ep.System(lambda t, q: -q, mass=[[1, 2], [0, 1]]), (0, 1), q0=[1, 1], v0=[0, 0])
    s = ep.solve_ivp(ep.System(lambda t, q: -q, mass=[[2, 1], [1, 2]]), (0, 1), q0=[1, 1], v0=[0, 0], rtol=1e-9)
    assert abs(s.q[0, -1] - np.cos(1/np.sqrt(3))) < 1e-8


def test_integers_strides_and_other_floats_are_taken_as_numbers():
    a = ep.solve_ivp(lambda t, q: -q, (0, 1), q0=np.arange(6)[::2], v0=np.zeros(3, dtype=np.float32), flow="verlet", step=0.1)
    b = ep.solve_ivp(lambda t, q: np.stack([-q, q], axis=1)[:, 0], (0, 1), q0=[0., 2., 4.], v0=[0., 0, 0], flow="verlet", step=0.1)
    c = ep.solve_ivp(lambda t, q: (-q).astype(">f8"), (0, 1), q0=[0., 2., 4.], v0=[0., 0, 0], flow="verlet", step=0.1)
    assert (a.y == b.y).all() and (a.y == c.y).all()
    f = ep.solve_ivp(lambda t, q: np.array([-1, 0]), (0, 1), q0=[1, 0], v0=[0, 1], flow="verlet", step=0.1)
    assert abs(f.q[0, -1] - 0.5) < 1e-12


def test_a_force_that_is_no_number():
    with pytest.warns(ep.EpicycleWarning, match="force"):
        s = ep.solve_ivp(lambda t, q: [np.nan if t > 0.5 else 0.0], (0, 1), q0=[1], v0=[1], flow="verlet", step=0.1)
    assert not s.success and s.status == -1 and "t = 0." in s.message and s.t[-1] <= 0.6


def test_arguments_are_read_only_and_stay_alive():
    kept = []

    def force(t, q):
        kept.append(q)
        return -q
    ep.solve_ivp(force, (0, 1), q0=[1, 2], v0=[0, 0], flow="verlet", step=0.1)
    gc.collect()
    assert np.isfinite(kept[0]).all() and kept[0].shape == (2,)

    def greedy(t, q):
        q[0] = 0
        return -q
    with pytest.raises(ValueError, match="read-only"):
        ep.solve_ivp(greedy, (0, 1), q0=[1, 2], v0=[0, 0], flow="verlet", step=0.1)


# ---- what is wrong before anything runs ----
@pytest.mark.parametrize("given, kind, words", [
    (dict(q0=[1], v0=[0, 1]), ValueError, "v0 has 2 numbers, and 1 are wanted"),
    (dict(q0=[[1]], v0=[0]), ValueError, "q0 has the shape"),
    (dict(q0=["a"], v0=[0]), TypeError, "real numbers"),
    (dict(q0=[1j], v0=[0]), TypeError, "real numbers"),
    (dict(q0=[None], v0=[0]), TypeError, "real numbers"),
    (dict(q0=[np.nan], v0=[0]), ValueError, r"q0\[0\] is not finite"),
    (dict(q0=[1], v0=[0], y0=[1, 0]), ep.EpicycleError, "one or the other"),
    (dict(), ep.EpicycleError, "the start is missing"),
    (dict(q0=[1], flow="verlett", step=0.1), ep.EpicycleError, "did you mean verlet"),
    (dict(q0=[1], flow="verlet"), ep.EpicycleError, "give a step, or a tolerance"),
    (dict(q0=[1], flow="verlet", step=-1), ep.EpicycleError, "the step is -1"),
    (dict(q0=[1], flow="verlet", step="0.1 m"), ep.EpicycleError, "step"),
    (dict(q0=[1], rtol=-1), ep.EpicycleError, "between 0 and 1"),
    (dict(q0=[1], flow="tolerance(dop853, rtol=1e-6)", rtol=1e-6), ep.EpicycleError, "take one of them away"),
    (dict(q0=[1], flow="verlet", step=0.1, motion="slow"), ep.EpicycleError, "motion is for a flow that is chosen"),
    (dict(q0=[1], t_eval=[1, 0.5]), ValueError, "t_eval is not sorted"),
    (dict(q0=[1], t_eval=[0, 4]), ValueError, "beyond the span"),
    (dict(q0=[1], t_eval=[0, np.nan]), ValueError, "t_eval"),
    (dict(q0=[1], events=[3]), TypeError, r"events\[0\] is 3"),
    (dict(q0=[1], flow="verlet", step=10.0), ep.EpicycleError, "too long"),
    (dict(q0=[1], step=0.1), ep.EpicycleError, "step is for a flow that is given"),
    (dict(q0=[1], method="LSODA"), ep.EpicycleError,
     r"method 'LSODA' is not known here: RK23, RK45 and DOP853 are.*flow='tolerance\(radau"),
    (dict(q0=[1], method="RK4"), ep.EpicycleError, "method 'RK4' is not known here"),
    (dict(q0=[1], method="RK45", flow="verlet", step=0.1), ep.EpicycleError, "method and flow both say how to step"),
    (dict(q0=[1], method="RK45", step=0.1), ep.EpicycleError, "step is for a flow that is given"),
    (dict(q0=[1], flow="verlet", rtol=1e-6, step=0.1), ep.EpicycleError, "steps are chosen by the tolerance 1e-06, and the step 0.1"),
    (dict(q0=[1], atol=1e-9), ep.EpicycleError, "atol is for a method that is given"),
    (dict(q0=[1], max_step=0.1, first_step=0.01), ep.EpicycleError, "first_step and max_step is for a method that is given"),
    (dict(q0=[1], flow="dop853", max_step=0.1), ep.EpicycleError, "max_step goes with rtol"),
    (dict(q0=[1], jac=lambda t, y: 0), ep.EpicycleError, "jac is not known here"),
    (dict(q0=[1], vectorized=True), ep.EpicycleError, "vectorized is not known here"),
    (dict(q0=[1], min_step=1e-3), ep.EpicycleError, "min_step is not known here"),
    (dict(q0=[1], max_stp=1e-3), TypeError, "unexpected keyword argument 'max_stp'"),
    (dict(q0=[1], z0=[1]), ep.EpicycleError, "z0 is the start of a rate beside the force"),
])
def test_refusals(given, kind, words):
    with pytest.raises(kind, match=words):
        ep.solve_ivp(lambda t, q: -q, (0, 3), **given)


def test_a_typo_has_the_sentence_of_the_command():
    with pytest.raises(ep.EpicycleError) as caught:
        ep.run("kepler", flow="verlett", step=0.1, end=1)
    said = subprocess.run([os.environ["EPICYCLE"], "run", "kepler", "--flow", "verlett", "--step", "0.1", "--end", "1"],
                          capture_output=True, text=True).stderr
    assert str(caught.value) in said


@pytest.mark.parametrize("given, words", [
    (dict(phase_rate=10), "phase_rate is of a fast phase"),
    (dict(theta0=1), "theta0 is where a fast phase begins"),
    (dict(conserved=True), "conserved is said of the energy"),
    (dict(mass=[1], mass_solve=lambda q, a: a), "give one of them"),
    (dict(nc=1), "nc is the number of constraints"),
    (dict(period=-1), "the period is not positive"),
    (dict(forced=lambda t, theta, q: -q, phase_rate=1), "two ways to say one thing"),
])
def test_what_a_system_would_not_use_is_refused(given, words):
    with pytest.raises(ep.EpicycleError, match=words):
        ep.System(lambda t, q: -q, **given)


def test_starts_that_do_not_go_with_a_system():
    with pytest.raises(ep.EpicycleError, match="give its phase_rate"):
        ep.System(forced=lambda t, theta, q: -q)
    with pytest.raises(ep.EpicycleError, match="a mass goes with a force"):
        ep.System(rate=lambda t, y: -y, mass=2)
    with pytest.raises(ep.EpicycleError, match="this system has a force: give q0"):
        ep.solve_ivp(ep.System(lambda t, q: -q), (0, 1), [1, 0])
    with pytest.raises(ep.EpicycleError, match="z has no start: give z0"):
        ep.solve_ivp(ep.System(lambda t, q: -q, rate=lambda t, y: [1.0]), (0, 1), q0=[1])


def test_a_system_that_lacks_something():
    with pytest.raises(ep.EpicycleError, match="needs a force"):
        ep.System(mass=[1])
    with pytest.raises(TypeError, match="force is 3, and a function is wanted"):
        ep.System(3)
    with pytest.raises(ep.EpicycleError, match="jacobian"):
        ep.solve_ivp(ep.System(lambda t, q: -q, constraint=lambda t, q: q), (0, 1), q0=[0], v0=[0], flow="verlet", step=0.1)
    with pytest.raises(ValueError, match="mass has 2 numbers, and 1 are wanted"):
        ep.solve_ivp(ep.System(lambda t, q: -q, mass=[1, 2]), (0, 1), q0=[0], flow="verlet", step=0.1)


# ---- flows by hand ----
def test_a_flow_by_hand():
    with ep.Flow(pendulum, "verlet", [1], [0]) as f:
        f.advance(0.01, 500)
        f.run(10, 0.01)
        s = ep.solve_ivp(pendulum, (0, 10), q0=[1], v0=[0], flow="verlet", step=0.01)
        assert f.t == 10 and abs(f.y - s.y[:, -1]).max() < 1e-12 and f.calls >= 1000
        assert (f.q == f.y[:1]).all() and (f.v == f.y[1:]).all() and f.z.size == 0
    for use in (lambda: f.advance(0.1), lambda: f.t, lambda: f.calls, lambda: f.run(1, 0.1)):
        with pytest.raises(ValueError, match="closed"):
            use()
    f.close()
    with pytest.raises(ep.EpicycleError, match="did you mean"):
        ep.Flow(pendulum, "verlett", [1], [0])


def test_threads_that_share_a_flow():
    inside, leave = threading.Event(), threading.Event()

    def slow(t, q):
        inside.set()
        leave.wait(20)
        return -q
    f = ep.Flow(slow, "verlet", [1], [0])
    other = threading.Thread(target=f.advance, args=(0.1,))
    other.start()
    assert inside.wait(20)
    with pytest.raises(RuntimeError, match="a flow belongs to one thread"):
        f.advance(0.1)
    with pytest.raises(RuntimeError, match="when it has come back"):
        f.close()
    leave.set()
    other.join()
    f.advance(0.1)
    assert abs(f.t - 0.2) < 1e-15


def test_a_function_that_uses_its_own_flow():
    def force(t, q):
        if t > 0.05:
            f.advance(0.1)
        return -q
    f = ep.Flow(force, "verlet", [1], [0])
    with pytest.raises(RuntimeError, match="function of this run itself"):
        f.advance(0.1)


def test_threads_share_a_system():
    s = ep.System(pendulum)
    answers = [None]*8

    def work(i):
        answers[i] = ep.solve_ivp(s, (0, 5), q0=[1 + 0.1*i], v0=[0], flow="verlet", step=0.01).y[:, -1]
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    for i in range(8):
        assert (answers[i] == ep.solve_ivp(s, (0, 5), q0=[1 + 0.1*i], v0=[0], flow="verlet", step=0.01).y[:, -1]).all()


def test_a_run_inside_a_force():
    def force(t, q):
        return -ep.solve_ivp(lambda t, x: -x, (0, 1), q0=q.copy(), v0=[0], flow="verlet", step=0.5).q[:, 0]
    s = ep.solve_ivp(force, (0, 1), q0=[1], v0=[0], flow="verlet", step=0.25)
    r = ep.solve_ivp(lambda t, q: -q, (0, 1), q0=[1], v0=[0], flow="verlet", step=0.25)
    assert (s.y == r.y).all()


def test_no_leak_over_many_flows():
    def memory():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1])*os.sysconf("SC_PAGE_SIZE")

    def many(n):
        for _ in range(n):
            with ep.Flow(pendulum, "verlet", [1], [0]) as f:
                f.advance(0.1)
        for _ in range(n//20):
            ep.solve_ivp(pendulum, (0, 1), q0=[1], v0=[0], flow="verlet", step=0.5)
        gc.collect()
    many(4000)
    before = memory()
    many(10000)
    assert memory() - before < 6e5


class Pendulum:
    """Its flow moves by functions of its own: the one holds the other."""

    def __init__(self, **how):
        slots = {name: getattr(self, name) for name in how.pop("slots", ["force"])}
        start = how or dict(q0=[1], v0=[0])
        self.flow = ep.Flow(ep.System(**slots), "verlet" if "q0" in start else "rk4", **start)

    def force(self, t, q):
        return -q

    def drag(self, t, q, v):
        return -0.1*v

    def batch(self, t, theta, q):
        return -q

    def energy(self, t, y):
        return y[0]**2

    def rate(self, t, y):
        return -y


@pytest.mark.parametrize("how", [
    dict(), dict(slots=["force", "drag", "energy"], q0=[1], v0=[0]), dict(slots=["force", "batch"], q0=[1], v0=[0]),
    dict(slots=["rate"], y0=[1])])
def test_a_flow_by_methods_of_its_holder_is_freed(how):
    freed = []
    for _ in range(20):
        p = Pendulum(**dict(how))
        p.flow.advance(0.1, 3)
        freed.append((weakref.ref(p), p.flow._job._close))
    del p
    gc.collect()
    assert [(holder(), job.alive) for holder, job in freed] == [(None, False)]*20


def test_a_flow_is_not_copied():
    f = ep.Flow(pendulum, "verlet", [1], [0])
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="make another flow"):
            act(f)


# ---- Ctrl-C ----
LONG = """
import ctypes, os, signal, sys, threading, time
import numpy as np
import epicycle as ep
def later():
    time.sleep(0.5)
    os.kill(os.getpid(), {signal})
{more}
threading.Thread(target=later, daemon=True).start()
try:
    {what}
    print("came to its end")
except KeyboardInterrupt:
    print("interrupted")
s = ep.solve_ivp(lambda t, q: -q, (0, 1), q0=[1], v0=[0], flow="verlet", step=0.1)
print("goes on", abs(s.q[0, -1] - np.cos(1)) < 1e-2)
"""


def run_long(what, number="signal.SIGINT", more=""):
    code = LONG.format(what=what, signal=number, more=more)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("what", [
    'ep.solve_ivp(lambda t, q: -q, (0, 1e9), q0=[1], v0=[0], flow="verlet", step=0.01, t_eval=[1e9])',
    'ep.run("kepler", flow="verlet", step=1e-4, end=1e7, every=1e6, pictures=False)',
    'ep.Flow(lambda t, q: -q, "verlet", [1], [0]).advance(0.01, 10**9)',
    'ep.sweep("kepler", {"e": "0.1:0.8/8"}, flow="verlet", step=1e-5, end=1e6)',
])
def test_ctrl_c(what):
    out = run_long(what)
    assert "interrupted" in out and "goes on True" in out


@pytest.mark.long
def test_a_signal_that_raises_nothing_changes_no_bit():
    # a run that is over before the signal comes is followed by a longer one
    what = ('end = 500\n'
            '    while not seen:\n'
            '        end *= 4\n'
            '        s = ep.run("kepler", flow="verlet", step=1e-4, end=end, every=end/5, pictures=False)\n'
            '    r = ep.run("kepler", flow="verlet", step=1e-4, end=end, every=end/5, pictures=False)\n'
            '    print(seen, (s.data == r.data).all())')
    out = run_long(what, "signal.SIGUSR1", "seen = []\nsignal.signal(signal.SIGUSR1, lambda *_: seen.append(1))")
    assert "[1] True" in out and "came to its end" in out
