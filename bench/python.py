"""Costs of the Python package: what a call, an output, a run take beside the functions themselves; and scipy at equal error.

The last part of `make bench`; alone:

    EPICYCLE_LIBRARY=build/python/epicycle/libepicycle.so PYTHONPATH=python /usr/bin/python3 bench/python.py

The least processor time of several runs; where two are subtracted, both are of the same minute. The second table is the one of
docs/python.md."""
import contextlib
import ctypes
import os
import subprocess
import tempfile
import time
import warnings

import numpy as np
from scipy.integrate import solve_ivp as scipy_ivp

import epicycle as ep

warnings.simplefilter("ignore")
FORCE = "#include <math.h>\nint f(void *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; return 0; }\n"


def least(act, times=7):
    best = np.inf
    for _ in range(times):
        began = time.process_time()
        act()
        best = min(best, time.process_time() - began)
    return best


def compiled():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "f")
    with open(path + ".c", "w") as f:
        f.write(FORCE)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", path + ".so", path + ".c"], check=True)
    return ctypes.CDLL(path + ".so").f


def costs():
    n = 200000

    def force(t, q):
        return -q

    q = np.ones(1)
    alone = least(lambda: [force(0.0, q) for _ in range(n)])/n
    flow = ep.Flow(force, "verlet", [1], [0])
    python = least(lambda: flow.advance(1e-3, n))/n
    quick = ep.Flow(compiled(), "verlet", [1], [0])
    c = least(lambda: quick.advance(1e-3, 100*n))/(100*n)
    times = np.linspace(0, 10, 1002)[1:-1]
    run = dict(q0=[1], v0=[0], flow="tolerance(dop853, rtol=1e-9)")
    f = compiled()
    few, many = (least(lambda: ep.solve_ivp(f, (0, 10), t_eval=t, **run), 30) for t in (times[:1], times))
    yield "a call of a Python function, beyond the function itself", (python - alone)*1e6, "us", 2
    yield "a step of Verlet with a compiled force, the force included", c*1e9, "ns", 30
    yield "an output of t_eval, of 1000", (many - few)/999*1e6, "us", 1
    short = least(lambda: ep.solve_ivp(f, (0, 1), q0=[1], v0=[0], flow="verlet", step=0.5), 200)
    yield "a run of its own, two steps", short*1e6, "us", None
    one = least(lambda: ep.Flow(f, "verlet", [1], [0]).advance(0.1), 200)
    yield "a flow made, one step, and closed", one*1e6, "us", None


# ---- at equal error ----
def pendulum(t, q):
    return -np.sin(q)


def kepler(t, q):
    return -q/(q[0]*q[0] + q[1]*q[1])**1.5


W = 1000.0


def trap(t, theta, q):
    a = np.sqrt(2)*W*np.cos(theta)
    f = np.array([0.125 - a, 0.125 + a, -0.25, 0.125 - a, 0.125 + a, -0.25])*q
    r = q[:3] - q[3:]
    c = r/(r @ r)**1.5
    f[:3] += c
    f[3:] -= c
    return f


TRAP_END = 3183*2*np.pi/W
PROBLEMS = {  # system, the same as a rate, start, end, tolerance of the end
    "pendulum": (pendulum, lambda t, y: np.array([y[1], -np.sin(y[0])]), [2.5], [0.0], 100.0, 1e-8),
    "Kepler, e = 0.6": (kepler, lambda t, y: np.concatenate([y[2:], kepler(t, y[:2])]), [0.4, 0.0], [0.0, 2.0], 200.0, 1e-8),
    "trap, W = 1000": (ep.System(forced=trap, phase_rate=W), lambda t, y: np.concatenate([y[6:], trap(t, W*t, y[:6])]),
                       [1, 0.3, 1.2, -0.8, 0.1, -1.1], [0, 0.2, 0, 0, 0, 0.1], TRAP_END, 1e-4),
}


@contextlib.contextmanager
def quiet():
    """LSODA prints its worries."""
    kept, none = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(none, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(none)


def scipy_at(method, rate, y0, end, right, tol):
    """The loosest tolerance, in steps of a factor 2, at which scipy's end is right to tol: its evaluations and time."""
    for k in range(12, 46):
        rtol = 2.0**-k
        began = time.process_time()
        with quiet():
            s = scipy_ivp(rate, (0, end), y0, method=method, rtol=max(rtol, 3e-14), atol=rtol)
        spent = time.process_time() - began
        if s.success and right(s.y[:len(y0)//2, -1]) <= tol:
            return s.nfev, spent, right(s.y[:len(y0)//2, -1])
    return None


def against():
    for name, (system, rate, q0, v0, end, tol) in PROBLEMS.items():
        y0 = np.array(q0 + v0, dtype=float)
        exact = scipy_ivp(rate, (0, end), y0, method="DOP853", rtol=3e-14, atol=1e-14).y[:len(q0)]

        def right(q, exact=exact):
            """The error at the end, relative to the size of the coordinate over the run."""
            return (abs(q - exact[:, -1])/abs(exact).max(axis=1)).max()

        began = time.process_time()
        auto = ep.solve_ivp(system, (0, end), q0=q0, v0=v0, rtol=tol, t_eval=[end])
        chosen = time.process_time() - began
        step = auto.stats["step"]
        began = time.process_time()
        again = ep.solve_ivp(system, (0, end), q0=q0, v0=v0, flow=auto.flow, step=step, t_eval=[end])
        spent = time.process_time() - began
        yield name, tol, "`" + auto.flow + "`", again.nfev, spent, right(again.q[:, -1])
        yield "", None, "auto, the choice included", auto.nfev + auto.stats["choice"]["spent"], chosen, right(auto.q[:, -1])
        for method in ("DOP853", "LSODA"):
            found = scipy_at(method, rate, y0, end, right, tol)
            yield ("", None, "scipy " + method) + (found if found else (None, None, None))


if __name__ == "__main__":
    for what, x, unit, limit in costs():
        print(f"{what:60} {x:8.2f} {unit}" + (f"   (at most {limit})" if limit else ""), flush=True)
    print("\n| problem | error asked | by | evaluations | seconds | error |\n|---|---|---|---|---|---|")
    for name, tol, by, calls, spent, error in against():
        asked = "" if tol is None else f"{tol:g}"
        print(f"| {name} | {asked} | {by} | " + (f"{calls} | {spent:.3g} | {error:.1e} |" if calls else "not reached | | |"), flush=True)
