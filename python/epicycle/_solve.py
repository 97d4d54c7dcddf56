"""solve_ivp as scipy has it, and a flow by hand."""
import ctypes
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._job import Job, warn
from ._library import EpicycleError, error_of, lib, word
from ._system import Built, System, address, numbers

_PLACES = 8
_MESSAGES = ("The solver successfully reached the end of the integration interval.", "A termination event occurred.")


class Solution:
    """Dense output: the state at any time of the run, by a polynomial through places of each step. ``sol(t)`` is as scipy's; of a run
    backward too, whose ``ts`` descend."""

    def __init__(self, t: np.ndarray, y: np.ndarray, places: int = _PLACES):
        steps = (t.size - 1)//places
        index = np.arange(steps)[:, None]*places + np.arange(places + 1)
        self._t, self._y = t[index], y[index]                      # steps x places, and the state there
        self.ts = np.append(t[:1], self._t[:, -1])
        self._sign = 1.0 if self.ts[-1] >= self.ts[0] else -1.0
        self.t_min, self.t_max = min(self.ts[0], self.ts[-1]), max(self.ts[0], self.ts[-1])
        self._weight = (-1.0)**np.arange(places + 1)
        self._weight[[0, -1]] *= 0.5

    def __call__(self, t: Any) -> np.ndarray:
        at = np.atleast_1d(np.asarray(t, dtype=float))
        slack = 1e-9*(self.t_max - self.t_min)
        if at.size and not (at.min() >= self.t_min - slack and at.max() <= self.t_max + slack):
            raise ValueError(f"sol knows the times from {self.t_min:g} to {self.t_max:g} alone")
        step = np.clip(np.searchsorted(self._sign*self.ts, self._sign*at, side="left") - 1, 0, len(self._t) - 1)
        away = at[:, None] - self._t[step]
        hit = away == 0
        w = self._weight/np.where(hit, 1.0, away)
        w = np.where(hit.any(axis=1, keepdims=True), hit.astype(float), w)
        y = np.einsum("ik,ikn->ni", w, self._y[step])/w.sum(axis=1)
        return y[:, 0] if np.ndim(t) == 0 else y


class OdeResult(dict):
    """t, y (n x points), q, v, z, t_events, y_events, sol, nfev, status, success, message, stats, flow, warnings; as attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> List[str]:
        return list(self) + ["frame", "plot"]

    def __repr__(self) -> str:
        shown = {"message": self.message, "success": self.success, "status": self.status, "flow": self.flow, "nfev": self.nfev}
        shown.update({k: f"array of shape {self[k].shape}" for k in "tyqvz" if self[k].size})
        if self.t_events is not None:
            shown["t_events"] = f"{[len(t) for t in self.t_events]} found"
        return "\n".join(f"{k:>9}: {x}" for k, x in shown.items())

    def frame(self) -> Any:
        """A pandas table, a row for each time."""
        from ._result import frame
        return frame({"t": self.t, **dict(zip(self["names"], self.y))})

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Curves over time by matplotlib: of the coordinates named (q0, v0, ...), or of all positions."""
        from ._result import plot
        columns = dict(zip(self["names"], self.y))
        return plot(self.t, columns, names or self["names"][:max(len(self.q), 1)], ax)


def _start(q0: Any, v0: Any, z0: Any, y0: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    none = np.zeros(0)
    if y0 is not None:
        if q0 is not None or v0 is not None or z0 is not None:
            raise EpicycleError("y0 is the start of a rate, q0 and v0 of a force: give one or the other")
        return none, none, numbers(y0, "y0")
    if q0 is None:
        raise EpicycleError("the start is missing: give q0 and v0, or y0 with a rate")
    q = numbers(q0, "q0")
    v = np.zeros(q.size) if v0 is None else numbers(v0, "v0", q.size)
    return q, v, none if z0 is None else numbers(z0, "z0")


def _fits(system: System, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> None:
    """A start that goes with the functions."""
    moved = any(k in system.functions for k in ("force", "forced", "velocity_force"))
    if moved and not q.size:
        raise EpicycleError("y0 is the start of a rate, and this system has a force: give q0 and v0, and z0 of a rate beside it")
    if z.size and "rate" not in system.functions:
        raise EpicycleError("z0 is the start of a rate beside the force, and there is none: give rate, or leave z0 out")
    if moved and "rate" in system.functions and not z.size:
        raise EpicycleError("a rate beside a force is of z' alone, and z has no start: give z0")


def _span(t_span: Any) -> Tuple[float, float]:
    t = numbers(t_span, "t_span", 2)
    if t[1] == t[0]:
        raise EpicycleError(f"the end {t[1]:g} is the start: give another one")
    return float(t[0]), float(t[1])


def _times(t_eval: Any, span: Tuple[float, float]) -> Optional[np.ndarray]:
    if t_eval is None:
        return None
    t = np.asarray(t_eval)
    t = numbers(t, "t_eval") if t.size else np.zeros(0)
    if t.size and (t.min() < min(span) or t.max() > max(span)):
        raise ValueError(f"t_eval goes from {t.min():g} to {t.max():g}, beyond the span from {span[0]:g} to {span[1]:g}")
    backward = span[1] < span[0]
    if (np.diff(-t if backward else t) <= 0).any():
        raise ValueError(f"t_eval is not sorted: give each time once, the {'latest' if backward else 'earliest'} first")
    return t


def _names(built: Built) -> List[str]:
    return [f"{letter}{i}" for letter, n in zip("qvz", built.sizes) for i in range(n)]


def _system(what: Any, y0: Any, args: Sequence) -> System:
    if isinstance(what, System):
        if args:
            raise EpicycleError("args go with a function: a system has its own")
        return what
    f = _with(what, args)
    return System(rate=f) if y0 is not None else System(f)


def _with(f: Any, args: Sequence) -> Any:
    """The function with args, and with what it says of itself as an event."""
    if not args:
        return f
    if address(f)[0] is not None:
        raise EpicycleError("args go with a Python function: a compiled one has its data")

    def full(t: float, x: Any) -> Any:
        return f(t, x, *args)
    full.direction, full.terminal = getattr(f, "direction", 0), getattr(f, "terminal", False)  # type: ignore[attr-defined]
    return full


# scipy's words for what is a flow here
_METHODS = {"RK23": "bs3", "RK45": "dopri5", "DOP853": "dop853"}
_NEAREST = {"Radau": "tolerance(radau, rtol=1e-6)", "BDF": "tolerance(radau, rtol=1e-6)", "LSODA": "tolerance(radau, rtol=1e-6)"}


def _scipy_flow(flow: str, rtol: Optional[float], words: Dict[str, Any]) -> Tuple[str, Optional[float]]:
    """flow and rtol, where scipy's method, atol, first_step and max_step say how steps are chosen."""
    method = words.pop("method", None)
    given = {ours: words.pop(theirs, None) for theirs, ours in (("atol", "atol"), ("first_step", "first"), ("max_step", "longest"))}
    if given["longest"] is not None and np.isscalar(given["longest"]) and np.isinf(given["longest"]):
        given["longest"] = None
    given = {k: x for k, x in given.items() if x is not None}
    for name, x in words.items():
        if x is None or x is False:
            continue
        if name in ("jac", "jac_sparsity", "vectorized", "lband", "uband", "min_step"):
            raise EpicycleError(f"{name} is not known here: leave it out" + (
                "; implicit methods find the Jacobian by differences" if name.startswith("jac") else
                "; System(batch=) takes many states at once" if name == "vectorized" else ""))
        raise TypeError(f"solve_ivp() got an unexpected keyword argument '{name}'")
    if method is not None:
        if flow != "auto":
            raise EpicycleError(f"method and flow both say how to step: leave method={method!r} out")
        if method not in _METHODS:
            near = f", as flow={_NEAREST[method]!r}" if method in _NEAREST else ""
            raise EpicycleError(f"method {method!r} is not known here: RK23, RK45 and DOP853 are; any other is a flow{near}")
        # as scipy's, where nothing is said
        flow, rtol = _METHODS[method], 1e-3 if rtol is None else rtol
        given.setdefault("atol", 1e-6)
    if not given:
        return flow, rtol
    said = " and ".join({"atol": "atol", "first": "first_step", "longest": "max_step"}[k] for k in given)
    if flow == "auto":
        raise EpicycleError(f"{said} is for a method that is given: leave it out, and the solution is right to rtol, or add "
                            "method='DOP853'")
    if rtol is None:
        raise EpicycleError(f"{said} goes with rtol, by which steps are chosen: give both, or say it in the flow")
    return f"tolerance({flow}, rtol={word(rtol)}, " + ", ".join(f"{k}={word(x)}" for k, x in given.items()) + ")", None


def _turned(sentence: str) -> str:
    """A sentence of a run backward: the library has the time with the other sign."""
    return re.sub(r"\bt = (-?)(\d[\d.eE+-]*)", lambda m: f"t = {'' if m[1] else '-'}{m[2]}", sentence)


def solve_ivp(system: Union[System, Callable, None] = None, t_span: Any = None, y0: Any = None, method: Optional[str] = None,
              t_eval: Any = None, *, q0: Any = None, v0: Any = None, z0: Any = None, flow: str = "auto", step: Any = None,
              rtol: Optional[float] = None, events: Any = None, dense_output: bool = False, args: Optional[Sequence] = None,
              motion: Optional[str] = None, force: bool = False, **scipy: Any) -> OdeResult:
    """Moves a system over a span of time, which may run backward.

    ``system`` is a :class:`System`, or a function: force(t, q) with ``q0`` and ``v0`` (q'' = force), or rate(t, y) with ``y0``.
    ``flow="auto"`` finds the flow whose *solution* is right to ``rtol`` (1e-6 unless given). A flow of your own, as "verlet" or
    "symmetric(verlet, order=8)", takes a ``step``; with ``rtol`` its steps are chosen, and that is the tolerance of each step. Of a flow
    that itself chooses its steps, as "tolerance(dop853)", these end at every ``step`` that is given.
    ``t_eval``, ``events`` (event(t, y, *args) with .terminal and .direction) and ``dense_output`` are as scipy has them. ``motion="slow"``
    asks for the slow part of a stiff system, "full" for all of it; ``force=True`` runs a step that the start shows to be too long.
    Of scipy's words ``method`` ("RK23", "RK45", "DOP853"), ``atol``, ``first_step`` and ``max_step`` mean what they mean there.
    """
    if "fun" in scipy and system is None:
        system = scipy.pop("fun")
    if system is None or t_span is None:
        raise TypeError("solve_ivp() needs a system, or a function, and its t_span")
    span = _span(t_span)
    backward = span[1] < span[0]
    times = _times(t_eval, span)
    given, (flow, rtol) = flow, _scipy_flow(flow, rtol, {**scipy, "method": method})
    if (flow == "auto" or flow != given) and step is not None:
        raise EpicycleError("step is for a flow that is given, as flow='verlet': leave it out, or give a flow")
    args = () if args is None else tuple(args) if isinstance(args, (tuple, list)) else (args,)
    what = _system(system, y0, args)
    events = [] if events is None else [events] if callable(events) else list(events)
    start = _start(q0, v0, z0, y0)
    _fits(what, *start)
    built = Built(what, span[0], *start, [_with(e, args) for e in events], backward)
    y = np.concatenate([start[0], -start[1] if backward else start[1], start[2]])
    # the library runs forward in any case: backward it has -t
    begin, end = (-span[0], -span[1]) if backward else span
    job = Job(lib.epi_job_own(built.p, begin, y.ctypes.data), built)
    try:
        job.say(flow=flow, step=step, end=repr(end), tol=rtol, motion=motion, force=force or None)
        ours = times if times is None or not backward else -times
        inside = np.zeros(0) if ours is None or dense_output else ours[(ours > begin) & (ours < end)]
        # rows at the start and at the end are there in any case
        rows_wanted = times is not None and not dense_output
        job.times(inside, 0 if rows_wanted and inside.size else 1 if times is None and not dense_output else _PLACES if dense_output else 0)
        if rows_wanted and not inside.size:
            job.say(every=repr(end - begin))
        job.make()
        error = job.go()
        return _result(job, built, error, times, dense_output, len(events))
    except EpicycleError as refused:
        if backward:
            refused.args = (_turned(str(refused)),)
        raise
    finally:
        job.close()


def _rows(job: Job, built: Built) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, states, and events as number, which, t, direction, state; as the caller has them, whichever way time runs."""
    rows, hits = job.table(lib.epi_job_rows), job.table(lib.epi_job_events)
    nq, nv, _ = built.sizes
    if built.backward:
        rows[:, 0] *= -1
        rows[:, 1 + nq:1 + nq + nv] *= -1
        if len(hits):
            hits[:, 2] *= -1
            hits[:, 4 + nq:4 + nq + nv] *= -1
    # there is no -0 in a time, nor in a velocity at rest
    rows += 0.0
    hits += 0.0
    return rows[:, 0], rows[:, 1:1 + built.n], hits


def _result(job: Job, built: Built, error: str, times: Optional[np.ndarray], dense: bool, nevents: int) -> OdeResult:
    told = job.told()["run"]
    t, y, hits = _rows(job, built)
    n, (nq, nv, _) = built.n, built.sizes
    sol = Solution(t, y) if dense and t.size > _PLACES else None
    if sol is not None:
        keep = np.unique(np.append(np.arange(0, t.size, _PLACES), t.size - 1))
        t, y = t[keep], y[keep]
        if times is not None:
            t = times[times >= sol.t_min] if built.backward else times[times <= sol.t_max]
            y = sol(t).T
    elif times is not None:
        keep = np.isin(t, times)
        t, y = t[keep], y[keep]
    _, first = np.unique(hits[:, 1:3], axis=0, return_index=True)
    hits = hits[np.sort(first)]
    which = [hits[hits[:, 1] == i] for i in range(nevents)]
    status = -1 if error else 1 if told["status"] == "stopped" else 0
    warnings = told["warnings"]
    if built.backward:
        told["backward"] = True
        error, warnings = _turned(error), [_turned(w) for w in warnings]
    message = error or _MESSAGES[status]
    warn([error] if error else [])
    warn(warnings)
    return OdeResult(
        t=t, y=y.T, q=y.T[:nq], v=y.T[nq:nq + nv], z=y.T[nq + nv:], sol=sol, status=status, success=status >= 0, message=message,
        t_events=[h[:, 2] for h in which] if nevents else None, y_events=[h[:, 4:4 + n] for h in which] if nevents else None,
        nfev=told["calls"], flow=told["flow"], warnings=warnings, stats=told, names=_names(built))


class Flow:
    """A flow by hand: ``advance(h, n)`` takes steps, ``run(end, h)`` goes to a time. ``t, q, v, z, y`` are where it is."""

    def __init__(self, system: Union[System, Callable], text: str, q0: Any = None, v0: Any = None, *, y0: Any = None, z0: Any = None,
                 t0: float = 0.0):
        start = _start(q0, v0, z0, y0)
        what = _system(system, y0, ())
        _fits(what, *start)
        built = Built(what, t0, *start)
        self.sizes = built.sizes
        y = np.concatenate(start)
        self._job = Job(lib.epi_job_own(built.p, t0, y.ctypes.data), built)
        self._job.say(flow=text)
        self.y  # makes it: a text that is wrong is refused here

    def _moved(self, call: Callable) -> None:
        with self._job.held() as p:
            self._job.check(self._job.run(lambda: call(p)), p)

    def advance(self, h: float, n: int = 1) -> None:
        """n steps of h."""
        start = self.t
        now = ctypes.c_double()

        def left(p: Any) -> int:
            lib.epi_job_state(p, now, None)
            return int(n) - round((now.value - start)/h) if now.value != start else int(n)
        self._moved(lambda p: lib.epi_job_advance(p, float(h), left(p)))

    def run(self, end: float, h: float) -> None:
        """Steps of h until t = end, the last one shortened."""
        self._moved(lambda p: lib.epi_job_reach(p, float(end), float(h)))

    def _state(self) -> Tuple[float, np.ndarray]:
        t = ctypes.c_double()
        with self._job.held() as p:
            at = lib.epi_job_state(p, t, None)
            if not at:
                raise error_of(lib.epi_job_error(p).decode(), lib.epi_job_cause(p))
            return t.value, np.ctypeslib.as_array(at, (sum(self.sizes),)).copy()

    @property
    def t(self) -> float:
        return self._state()[0]

    @property
    def y(self) -> np.ndarray:
        return self._state()[1]

    @property
    def q(self) -> np.ndarray:
        return self.y[:self.sizes[0]]

    @property
    def v(self) -> np.ndarray:
        return self.y[self.sizes[0]:sum(self.sizes[:2])]

    @property
    def z(self) -> np.ndarray:
        return self.y[sum(self.sizes[:2]):]

    @property
    def calls(self) -> int:
        """Evaluations of the force so far."""
        with self._job.held() as p:
            return lib.epi_job_calls(p)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a flow is moved in the library and is one: it is not copied; make another flow from q and v of this one")

    def close(self) -> None:
        self._job.close()

    def __enter__(self) -> "Flow":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
