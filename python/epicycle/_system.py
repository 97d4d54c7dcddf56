"""Systems of the user's: Python functions on arrays that are made once, or compiled functions by their address."""
import ctypes
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np

from ._library import POST, EpicycleError, lib

_BATCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 4)
_ARGUMENTS = {"force": 4, "forced": 5, "velocity_force": 5, "rate": 4, "forces": 6, "phase_rate_at": 2, "mass_solve": 3, "constraint": 6,
              "energy": 3, "kinetic": 3, "potential": 3, "lift": 6, "slope": 6, "event": 3}


def address(f: Any, slot: str = "") -> Tuple[Optional[int], Optional[int]]:
    """Address and user data of a compiled function: numba cfunc, ctypes, cffi, PyCapsule, scipy LowLevelCallable; None: it is none."""
    kind = type(f).__module__.split(".")[0] + "." + type(f).__name__
    wanted = _ARGUMENTS.get(slot)
    takes = None
    if kind == "scipy.LowLevelCallable":
        return address(f.function, slot)[0], address_of_data(f.user_data)
    if isinstance(f, ctypes._CFuncPtr):
        takes, at = f.argtypes, ctypes.cast(f, ctypes.c_void_p).value
    elif kind.startswith("numba.") and hasattr(f, "address"):
        takes, at = getattr(getattr(f, "_sig", None), "args", None), f.address
    elif kind.startswith("_cffi_backend."):
        import _cffi_backend
        at = int(_cffi_backend.FFI().cast("uintptr_t", f))
    elif type(f).__name__ == "PyCapsule":
        api = ctypes.pythonapi
        api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        at = api.PyCapsule_GetPointer(f, api.PyCapsule_GetName(f))
    else:
        return None, None
    if wanted and takes is not None and len(takes) != wanted:
        raise EpicycleError(f"{slot}: the compiled function takes {len(takes)} arguments, and {slot} is called with {wanted}: "
                            "see docs/python.md for its signature")
    if not at:
        raise EpicycleError(f"{slot or 'the function'} is a null pointer")
    return at, None


def address_of_data(data: Any) -> Optional[int]:
    if data is None:
        return None
    if isinstance(data, np.ndarray):
        return data.ctypes.data
    return address(data)[0] if type(data).__name__ in ("PyCapsule", "CData") else ctypes.cast(data, ctypes.c_void_p).value


def numbers(x: Any, name: str, n: Optional[int] = None) -> np.ndarray:
    """A one-dimensional array of doubles, in order in memory, or a sentence."""
    a = np.asarray(x)
    if a.dtype == object or a.dtype.kind not in "biuf":
        raise TypeError(f"{name} holds {a.dtype}, and numbers are wanted: give real numbers")
    a = np.ascontiguousarray(np.atleast_1d(a), dtype=float)
    if a.ndim != 1:
        raise ValueError(f"{name} has the shape {a.shape}: give one list of numbers")
    if n is not None and a.size != n:
        raise ValueError(f"{name} has {a.size} numbers, and {n} are wanted")
    if not np.isfinite(a).all():
        raise ValueError(f"{name}[{int(np.flatnonzero(~np.isfinite(a))[0])}] is not finite: give a number")
    return a


class System:
    """What moves: M v' = force + drag, q' = v, or y' = rate.

    Functions are Python callables, which get arrays that are the same at every call (copy what you keep) and return what they give, or
    compiled ones (numba ``cfunc``, ctypes, cffi, ``PyCapsule``, ``scipy.LowLevelCallable``) with the signature of C.

    force(t, q)            of position
    forced(t, theta, q)    instead: with a fast phase theta, whose rate is ``phase_rate``, a number or a function of t
    drag(t, q, v)          what depends on velocity, added
    rate(t, y)             any ODE; beside a force: z' alone
    batch(t, theta, q)     force at many states in one call, q of the shape (nq, lanes); for methods such as picard
    mass                   nv numbers, or nv x nv; ``mass_solve(q, a)`` gives M^-1 a
    constraint(t, q)       zero, with its ``jacobian(t, q)`` (nc x nv) and, where it is driven, ``constraint_rate(t, q)``
    energy(t, y)           for diagnostics; ``conserved``: it is constant (where nothing is said: if only a force of position acts)
    smooth                 forces have no kink or jump, in time or elsewhere: a tolerance then takes fewer evaluations
    """

    def __init__(self, force: Optional[Callable] = None, *, forced: Optional[Callable] = None, drag: Optional[Callable] = None,
                 rate: Optional[Callable] = None, batch: Optional[Callable] = None, phase_rate: Any = None, theta0: float = 0.0,
                 period: Optional[float] = None, mass: Any = None, mass_solve: Optional[Callable] = None,
                 constraint: Optional[Callable] = None, jacobian: Optional[Callable] = None, constraint_rate: Optional[Callable] = None,
                 energy: Optional[Callable] = None, kinetic: Optional[Callable] = None, potential: Optional[Callable] = None,
                 lift: Optional[Callable] = None, slope: Optional[Callable] = None, nc: Optional[int] = None,
                 conserved: Optional[bool] = None, smooth: bool = False, data: Any = None):
        given = dict(force=force, forced=forced, velocity_force=drag, rate=rate, mass_solve=mass_solve, constraint=constraint,
                     jacobian=jacobian, constraint_rate=constraint_rate, energy=energy, kinetic=kinetic, potential=potential, forces=batch,
                     lift=lift, slope=slope, phase_rate_at=None if np.isscalar(phase_rate) else phase_rate)
        self.functions = {k: f for k, f in given.items() if f is not None}
        for name, f in self.functions.items():
            if address(f, name)[0] is None and not callable(f):
                raise TypeError(f"{name} is {f!r}, and a function is wanted")
        if not any(k in self.functions for k in ("force", "forced", "rate", "velocity_force")):
            raise EpicycleError("a system needs a force, a forced, a drag or a rate: give it one")
        self.single = {"theta0": theta0, "conserved": conserved, "period": period, "smooth": True if smooth else None,
                       "phase_rate": phase_rate if np.isscalar(phase_rate) else None}
        self.mass, self.nc, self.data = mass, nc, data
        self._refuse_unused(theta0, phase_rate)

    def _refuse_unused(self, theta0: float, phase_rate: Any) -> None:
        """What would change nothing is not taken."""
        has = self.functions
        moved = any(k in has for k in ("force", "forced", "velocity_force"))
        for wrong, words in (
                ("force" in has and "forced" in has, "force and forced are two ways to say one thing: give one of them"),
                ("forced" in has and phase_rate is None, "forced is of a fast phase: give its phase_rate, a number or a function of t"),
                (phase_rate is not None and "forced" not in has and "rate" not in has,
                 "phase_rate is of a fast phase, which force does not see: give forced(t, theta, q)"),
                (theta0 != 0 and phase_rate is None, "theta0 is where a fast phase begins, and there is none: give forced and phase_rate"),
                (self.single["conserved"] is not None and "energy" not in has,
                 "conserved is said of the energy, and there is none: give energy"),
                (self.mass is not None and "mass_solve" in has, "mass and mass_solve both say what the mass is: give one of them"),
                ((self.mass is not None or "mass_solve" in has) and not moved,
                 "a mass goes with a force, and there is a rate alone: leave it out"),
                (self.nc is not None and "constraint" not in has, "nc is the number of constraints, and there are none: give constraint"),
                (self.single["period"] is not None and not self.single["period"] > 0, "the period is not positive: give one that is")):
            if wrong:
                raise EpicycleError(words)


class Built:
    """A system in the library, for one flow: the arrays that its functions see belong to Python, so that no view outlives its memory."""

    def __init__(self, system: System, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray, events: Sequence = (),
                 backward: bool = False):
        self.backward = backward
        self.errors: List[BaseException] = []
        self.kept: List[Any] = []
        self.compiled: List[str] = []
        self.slots = tuple(system.functions)
        self.sizes = q.size, v.size, z.size
        self.n = q.size + v.size + z.size
        self.buffer = np.zeros(max(self.n, 1))
        nc = self.count_constraints(system, t, q)
        self.nc = nc
        self.p = lib.epi_own_new(q.size, v.size, z.size, nc)
        if not self.p:
            raise MemoryError("the system could not be made")
        try:
            self.fill(system, events)
        except BaseException:
            self.free()
            raise

    def free(self) -> None:
        if self.p:
            lib.epi_own_free(self.p)
        self.p = None

    @staticmethod
    def count_constraints(system: System, t: float, q: np.ndarray) -> int:
        f = system.functions.get("constraint")
        if f is None or system.nc is not None:
            return system.nc or 0
        if address(f, "constraint")[0] is not None:
            raise EpicycleError("a compiled constraint does not tell how many there are: give nc")
        return int(np.size(f(t, q.copy())))

    def fill(self, system: System, events: Sequence) -> None:
        data = system.data
        for name, f in system.functions.items():
            at, own = address(f, name)
            data = own if own is not None else data
            if at is None:
                self.python(name, f)
            else:
                self.compiled.append(name)
                self.kept.append(f)
                self.check(lib.epi_own_call(self.p, name.encode(), at))
        for i, f in enumerate(events):
            self.event(i, f)
        for name, x in system.single.items():
            if x is not None:
                self.numbers(name, numbers(float(x), name))
        if self.backward:
            self.numbers("backward", np.ones(1))
        if system.mass is not None:
            self.add_mass(np.asarray(system.mass, dtype=float))
        if data is not None:
            self.kept.append(data)
            self.check(lib.epi_own_data(self.p, data if isinstance(data, int) else address_of_data(data)))

    def add_mass(self, mass: np.ndarray) -> None:
        nv = self.sizes[1]
        if mass.ndim == 2:
            if mass.shape != (nv, nv):
                raise ValueError(f"the mass has the shape {mass.shape}, and ({nv}, {nv}) is wanted")
            if (abs(mass - mass.T) > 1e-12*abs(mass).max()).any():
                raise ValueError("the mass is not symmetric: half of it would not be seen; give the matrix M of the kinetic energy v M v/2")
            self.numbers("mass_matrix", numbers(mass.ravel(), "mass"))
        else:
            self.numbers("mass", numbers(mass if mass.ndim else np.full(nv, mass), "mass", nv))

    def check(self, bad: int) -> None:
        if bad:
            raise EpicycleError(lib.epi_own_error(self.p).decode())

    def numbers(self, name: str, x: np.ndarray) -> None:
        self.check(lib.epi_own_numbers(self.p, name.encode(), x.ctypes.data, x.size))

    def views(self, *spans: slice) -> List[np.ndarray]:
        found = [self.buffer[s] for s in spans]
        for a in found:
            a.flags.writeable = False
        return found

    def python(self, name: str, f: Callable) -> None:
        """A Python function as a post: its arguments are views of one array, what it returns is checked and copied."""
        nq, nv, nz = self.sizes
        q, v, y = self.views(slice(0, nq), slice(nq, nq + nv), slice(0, self.n))
        if name == "forces":
            return self.batch(f)
        if name in ("lift", "slope"):
            raise EpicycleError(f"{name} is taken as a compiled function alone")
        all_rate = not any(k in self.slots for k in ("force", "forced", "velocity_force"))
        call, shape = {
            "force": (lambda t, theta: f(t, q), (nv,)),
            "forced": (lambda t, theta: f(t, theta, q), (nv,)),
            "velocity_force": (lambda t, theta: f(t, q, v), (nv,)),
            "rate": (lambda t, theta: f(t, y), (self.n if all_rate else nz,)),
            "mass_solve": (lambda t, theta: f(q, v), (nv,)),
            "constraint": (lambda t, theta: f(t, q), (self.nc,)),
            "jacobian": (lambda t, theta: f(t, q), (self.nc, nv)),
            "constraint_rate": (lambda t, theta: f(t, q), (self.nc,)),
            "phase_rate_at": (lambda t, theta: f(t), ()),
        }.get(name, (lambda t, theta: f(t, y), ()))
        self.post(name, "drag" if name == "velocity_force" else "phase_rate" if name == "phase_rate_at" else name, call, shape)

    def post(self, name: str, called: str, call: Callable, shape: Tuple[int, ...]) -> None:
        out = np.zeros(shape if shape else (1,))
        errors, array = self.errors, np.ndarray

        def act(t, theta):
            try:
                x = call(t, theta)
                if type(x) is array and x.shape == shape and x.dtype.kind == "f":
                    out[...] = x
                else:
                    out[...] = returned(x, called, shape)
                return 0
            except BaseException as error:  # also Ctrl-C: it is raised again when the library has come back
                errors.append(error)
                return -1

        function = POST(act)
        self.kept += [function, out]
        self.check(lib.epi_own_post(self.p, name.encode(), function, self.buffer.ctypes.data, out.ctypes.data))

    def batch(self, f: Callable) -> None:
        nq, nv, _ = self.sizes
        errors = self.errors

        def act(_, lanes, t, theta, q, to):
            try:
                arrays = [np.frombuffer(ctypes.string_at(a, 8*k)) if a else np.zeros(k)
                          for a, k in ((t, lanes), (theta, lanes), (q, nq*lanes))]
                x = np.ascontiguousarray(returned(f(arrays[0], arrays[1], arrays[2].reshape(nq, lanes)), "batch", (nv, lanes)))
                ctypes.memmove(to, x.ctypes.data, x.nbytes)
                return 0
            except BaseException as error:
                errors.append(error)
                return -1

        function = _BATCH(act)
        self.kept.append(function)
        self.check(lib.epi_own_call(self.p, b"forces", ctypes.cast(function, ctypes.c_void_p)))

    def event(self, i: int, f: Any) -> None:
        direction, terminal = getattr(f, "direction", 0), getattr(f, "terminal", False)
        if terminal is not True and terminal not in (0, 1):
            raise EpicycleError(f"events[{i}].terminal is {terminal!r}: True or False are known")
        name = f"event{i}" + ("_up" if direction > 0 else "_down" if direction < 0 else "") + ("_stop" if terminal else "")
        at, _ = address(f, "event")
        if at is not None:
            self.kept.append(f)
            return self.check(lib.epi_own_call(self.p, name.encode(), at))
        if not callable(f):
            raise TypeError(f"events[{i}] is {f!r}, and a function of (t, y) is wanted")
        y, = self.views(slice(0, self.n))
        self.post(name, f"events[{i}]", lambda t, theta: crossing(f(t, y), t, f"events[{i}]"), ())

    def raise_again(self) -> None:
        """What a function of the user's raised, with its own traceback."""
        if self.errors:
            error, self.errors[:] = self.errors[0], []
            raise error


def crossing(x: Any, t: float, name: str) -> Any:
    """What an event returned: a sign that cannot be seen to change is no event."""
    if isinstance(x, (bool, np.bool_)):
        raise TypeError(f"{name} returned {x}: let it return a number that goes through zero, as y[0] in place of y[0] > 0")
    if x is not None and np.size(x) == 1 and x != x:
        raise ValueError(f"{name} is not a number at t = {t:g}: let it return one that goes through zero")
    return x


def returned(x: Any, name: str, shape: Tuple[int, ...]) -> np.ndarray:
    """What a function returned, as an array of the shape that is wanted: nothing is stretched to fit."""
    if x is None:
        raise TypeError(f"{name} returned None: let it return what it computes")
    a = np.asarray(x)
    if a.dtype == object or a.dtype.kind not in "biuf":
        raise TypeError(f"{name} returned {a.dtype}, and real numbers are wanted")
    if a.shape == shape or (a.size == 1 and shape in ((), (1,))):
        return a.reshape(shape)
    raise ValueError(f"{name} returned the shape {a.shape}, and {shape} is wanted")
