"""Sweeps: of models and files by the library, of systems of the user's case by case."""
import ctypes
import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from ._job import Crew, Job
from ._library import STOPPED, EpicycleError, lib, signals, texts, word
from ._models import File, job_of, options
from ._result import frame
from ._solve import OdeResult, solve_ivp
from ._system import System, address


class Sweep:
    """A table of cases: ``values`` and ``kept`` are columns by their names, ``outcome`` words, ``why`` the sentences of cases."""

    OUTCOMES = ("not run", "done", "doubtful", "failed", "refused", "too long", "crashed")

    def __init__(self, values: Dict[str, np.ndarray], kept: Dict[str, np.ndarray], outcome: np.ndarray, why: Dict[int, str]):
        self.values, self.kept, self.why = values, kept, why
        self.outcome = np.array(self.OUTCOMES)[outcome]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.kept[name] if name in self.kept else self.values[name]

    def __len__(self) -> int:
        return len(self.outcome)

    def __repr__(self) -> str:
        counts = ", ".join(f"{(self.outcome == o).sum()} {o}" for o in self.OUTCOMES if (self.outcome == o).any())
        return f"<epicycle sweep of {len(self)} cases ({counts}) over {', '.join(self.values)}; kept: {', '.join(self.kept)}>"

    def frame(self) -> Any:
        return frame({**self.values, **self.kept, "outcome": self.outcome})


def sweep(model: Any, over: Mapping[str, Any], keep: Optional[Sequence[str]] = None, *, samples: Optional[int] = None,
          seed: Optional[int] = None, latin: bool = False, workers: Optional[int] = None, limit: Any = None, **given: Any) -> Sweep:
    """One model many times, on all cores: ``ep.sweep("kepler", {"e": "0.1:0.9:0.1"}, keep=["x", "energy.max"], end=10)``.

    over: names and what they run over: an array, or a text such as "0.1:0.9/5", "log(1, 1e6, 7)", "uniform(0, 1)"; also step, end, tol,
    start.x. keep: columns at the end, or NAME.max, NAME.mean, at(NAME).count ...; nothing: every column.

    A system of yours is a function of what is swept, which gives a System, or a force: ``ep.sweep(lambda k: ep.System(lambda t, q: -k*q),
    {"k": [1, 2, 4]}, keep=["q0", "q0.max"], t_span=(0, 10), q0=[1], v0=[0])``. The rest is said as for solve_ivp; q0, v0, z0, y0 and
    t_span may be functions of what is swept too. keep: q0, v0, ... at the end, .first, .min, .max, .mean, .rms of the times of t_eval (or
    of all steps), t, nfev. Cases run one after the other, in threads where all functions are compiled.
    """
    if not isinstance(model, (str, os.PathLike)):
        for name, x in (("samples", samples), ("seed", seed), ("latin", latin), ("limit", limit)):
            if x:
                raise EpicycleError(f"{name} is for a model by its name or a file: of functions of yours give the numbers themselves")
        return _own(model, over, keep, workers, given)
    said = options(given)
    if os.fspath(model).endswith(".urdf"):
        raise EpicycleError("a sweep is of a model file: write ep.load(...).yaml() of the robot to one")
    if os.fspath(model).endswith((".yaml", ".yml")):
        opened = {k: v for k, v in given.items()}
        file = File(os.fspath(model), None, opened)
        file._given += [k for k in over if "." in k and not k.startswith("start.")]
        job = file._job(0)
        over = {k.replace(".", "_") if "." in k and not k.startswith("start.") else k: v for k, v in over.items()}
    else:
        job = job_of(model, given)
    job.say(**said, samples=samples, seed=seed, latin=latin or None, workers=workers, limit=limit)
    words = [f"{k}={v if isinstance(v, str) else word(v)}" for k, v in over.items()]
    with job.held() as p:
        s = lib.epi_job_sweep(p, texts(words), texts([keep] if isinstance(keep, str) else list(keep)) if keep is not None else None)
        try:
            job.check(1 if not s or lib.epi_job_error(p) else 0, p)
            return _sweep(job, p, s)
        finally:
            lib.epi_sweep_free(s)


def _sweep(job: Job, p: Any, s: Any) -> Sweep:
    n, axes, keeps = lib.epi_sweep_cases(s), lib.epi_sweep_axes(s), lib.epi_sweep_keeps(s)
    values, kept, outcome = np.zeros((n, axes)), np.full((n, max(keeps, 1)), np.nan), np.zeros(n, dtype=np.int32)
    code = signals.run(lambda: lib.epi_job_sweep_run(p, s, values.ctypes.data, kept.ctypes.data, outcome.ctypes.data),
                       lambda: lib.epi_sweep_stop(s))
    if code == STOPPED:
        raise EpicycleError("the sweep was stopped")
    job.check(code, p)
    unit, count = ctypes.c_char_p(), ctypes.c_longlong()
    over = [lib.epi_sweep_axis(s, i, unit, count).decode() for i in range(axes)]
    names = [lib.epi_sweep_kept(s, i, unit).decode() for i in range(keeps)]
    why = {i: lib.epi_job_sweep_why(p, i).decode() for i in range(n) if lib.epi_job_sweep_why(p, i)}
    return Sweep(dict(zip(over, values.T)), dict(zip(names, kept.T)), outcome, why)


# ---- systems of the user's ----
_OF_ROWS = {"first": lambda x: x[0], "min": np.min, "max": np.max, "mean": np.mean, "rms": lambda x: np.sqrt(np.mean(x*x))}


def _numbers(name: str, x: Any) -> np.ndarray:
    if isinstance(x, str):
        raise EpicycleError(f"{name}: of a function of yours give the numbers themselves, as np.linspace(0.1, 0.9, 9), and not '{x}'")
    a = np.atleast_1d(np.asarray(x))
    if a.ndim != 1 or not a.size or a.dtype.kind not in "biuf":
        raise EpicycleError(f"{name}: a list of numbers is wanted, and this has the shape {a.shape} and holds {a.dtype}")
    return a.astype(float)


def _kept(s: OdeResult, what: str) -> float:
    if what in ("t", "nfev"):
        return float(s.t[-1]) if what == "t" else float(s.nfev)
    name, _, of = what.partition(".")
    if name not in s["names"] or (of and of not in _OF_ROWS):
        raise EpicycleError(f"there is no '{what}' to keep: there are t, nfev, {', '.join(s['names'])}, and .{', .'.join(_OF_ROWS)} "
                            "of these")
    row = s.y[s["names"].index(name)]
    if not row.size:
        return np.nan
    return float(_OF_ROWS[of](row)) if of else float(row[-1])


def _one(make: Callable, value: Dict[str, float], keep: Optional[List[str]], said: Dict[str, Any]) -> Tuple[Dict[str, float], int, str]:
    """What is kept of one case, its outcome, and why."""
    given = {k: x(**value) if k in ("q0", "v0", "z0", "y0", "t_span") and callable(x) else x for k, x in said.items()}
    Crew.here.quiet = True
    try:
        s = solve_ivp(make(**value), given.pop("t_span"), given.pop("y0", None), **given)
    except EpicycleError as refused:
        return {}, Sweep.OUTCOMES.index("refused"), str(refused)
    finally:
        Crew.here.quiet = False
    names = s["names"] if keep is None else keep
    outcome = "failed" if not s.success else "doubtful" if s.warnings else "done"
    return {k: _kept(s, k) for k in names}, Sweep.OUTCOMES.index(outcome), s.message if outcome == "failed" else " ".join(s.warnings)


def _compiled(make: Callable, value: Dict[str, float], said: Dict[str, Any]) -> bool:
    system = make(**value)
    functions = list(system.functions.values()) if isinstance(system, System) else [system]
    events = said.get("events")
    functions += [] if events is None else [events] if callable(events) else list(events)
    return all(address(f)[0] is not None for f in functions)


def _own(make: Any, over: Mapping[str, Any], keep: Any, workers: Optional[int], said: Dict[str, Any]) -> Sweep:
    if isinstance(make, System) or not callable(make):
        raise EpicycleError("a sweep of a system is of a function that makes it: as ep.sweep(lambda k: ep.System(lambda t, q: -k*q), "
                            "{'k': [1, 2]}, t_span=(0, 1), q0=[1], v0=[0])")
    if "t_span" not in said:
        raise EpicycleError("a sweep of a system needs its t_span, and its start, as solve_ivp does")
    axes = {k: _numbers(k, x) for k, x in over.items()}
    keep = [keep] if isinstance(keep, str) else keep if keep is None else list(keep)
    cases = [dict(zip(axes, x)) for x in itertools.product(*axes.values())]
    alone = not _compiled(make, cases[0], said)
    if alone and workers is not None and workers > 1:
        raise EpicycleError("workers are for compiled functions: those of Python run one at a time; leave workers out")
    if alone:
        told = [_one(make, c, keep, said) for c in cases]
    else:
        told = _in_threads(lambda c: _one(make, c, keep, said), cases, workers or os.cpu_count() or 1)
    names = keep or next((list(k) for k, _, _ in told if k), [])
    kept = {n: np.array([k.get(n, np.nan) for k, _, _ in told]) for n in names}
    values = {k: np.array([c[k] for c in cases]) for k in axes}
    return Sweep(values, kept, np.array([o for _, o, _ in told]), {i: why for i, (_, _, why) in enumerate(told) if why})


def _in_threads(act: Callable, cases: List[Any], workers: int) -> List[Any]:
    crew = Crew()

    def work(case: Any) -> Any:
        Crew.here.crew = crew
        try:
            return act(case)
        finally:
            Crew.here.crew = None
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work, c) for c in cases]
        try:
            return [f.result() for f in futures]
        except BaseException:
            for f in futures:
                f.cancel()
            crew.stop()
            raise
