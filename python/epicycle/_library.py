"""The shared library: where it is, and what its functions take."""
import ctypes
import enum
import os
import signal
import sys
import threading
from ctypes import POINTER, c_char_p, c_double, c_int, c_long, c_longlong, c_size_t, c_void_p
from typing import Any, Callable, Dict, Iterator, List, Optional

HANDLES = 1  # of include/epicycle/handle.h
POST = ctypes.CFUNCTYPE(c_int, c_double, c_double)
STOPPED, INTERRUPTED = -1000, -1001


# of include/epicycle.h
Cause = enum.IntEnum("Cause", """NO_CAUSE OTHER_CAUSE MEMORY COMPOSITION ABSENT REQUEST SYSTEM NOT_FINITE
    REFUSED MODEL_ENDS TOO_LONG MOST_STEPS SHRUNK CONSTRAINTS CONTRADICTION PHASE
    ROUNDING MICRO_STEPS COST REFUSES_OFTEN GOES_OVER INEXACT DEAR HALTED
    BAD_FILE ROWS_FILE EVENTS_FILE UNSTABLE FAST""", start=0)
Cause.__doc__ = "The cause of an error: what programs decide by, as the words of a message may change."


class EpicycleError(ValueError):
    """What was asked for is wrong; the message says what to do, and ``cause`` is a ``Cause``."""

    cause = Cause.REQUEST


class RunError(EpicycleError, RuntimeError):
    """A run failed on its way; ``result`` has what it computed up to there."""

    cause = Cause.OTHER_CAUSE

    def __init__(self, message: str, result: Any = None):
        super().__init__(message)
        self.result = result


class OutOfMemory(EpicycleError, MemoryError):
    """There is no memory for what was asked for."""

    cause = Cause.MEMORY


# of what was asked for; any other cause is found on the way
_REQUESTS = {Cause.NO_CAUSE, Cause.COMPOSITION, Cause.ABSENT, Cause.REQUEST, Cause.SYSTEM, Cause.UNSTABLE, Cause.PHASE, Cause.FAST,
             Cause.BAD_FILE, Cause.ROWS_FILE, Cause.EVENTS_FILE}


def error_of(message: str, cause: int, result: Any = None) -> EpicycleError:
    """The exception for a message of the library and its cause."""
    one = OutOfMemory(message) if cause == Cause.MEMORY else EpicycleError(message) if cause in _REQUESTS else RunError(message, result)
    one.cause = Cause(cause)
    return one


class EpicycleWarning(UserWarning):
    """A run came to its end, and what it gives is doubtful."""


def places() -> Iterator[str]:
    """Where the library is looked for, the first that is there is taken."""
    own = os.environ.get("EPICYCLE_LIBRARY")
    if own:
        yield own
        return
    ending = "dylib" if sys.platform == "darwin" else "so"
    yield os.path.join(os.path.dirname(os.path.abspath(__file__)), "libepicycle." + ending)
    yield "libepicycle-file.0.dylib" if sys.platform == "darwin" else "libepicycle-file.so.0"


def _load() -> ctypes.CDLL:
    tried = []
    for path in places():
        if os.path.isabs(path) and not os.path.exists(path):
            tried.append(f"{path}: no such file")
            continue
        try:
            lib = ctypes.CDLL(path)
        except OSError as error:
            tried.append(f"{path}: {error}")
            continue
        if not hasattr(lib, "epi_handles"):
            found = "of an older version" if hasattr(lib, "epi_make") or hasattr(lib, "epi_make_abi") else "none of Epicycle"
            tried.append(f"{path}: this library is {found}, it has no epi_handles")
            continue
        lib.epi_version.restype = c_char_p
        if lib.epi_handles() != HANDLES:
            tried.append(f"{path}: Epicycle {lib.epi_version().decode()} has handles {lib.epi_handles()}, this package needs {HANDLES}")
            continue
        return lib
    raise ImportError("the Epicycle library was not found. Looked at:\n  " + "\n  ".join(tried)
                      + "\nSet EPICYCLE_LIBRARY to its path, or install the package again.")


lib = _load()
_doubles, _texts = POINTER(c_double), POINTER(c_char_p)
_TYPES = {  # name: (what it returns, what it takes)
    "epi_catalog": (c_size_t, [c_void_p, c_size_t]),
    "epi_own_new": (c_void_p, [c_int] * 4),
    "epi_own_call": (c_int, [c_void_p, c_char_p, c_void_p]),
    "epi_own_post": (c_int, [c_void_p, c_char_p, POST, c_void_p, c_void_p]),
    "epi_own_numbers": (c_int, [c_void_p, c_char_p, c_void_p, c_long]),
    "epi_own_data": (c_int, [c_void_p, c_void_p]),
    "epi_own_error": (c_char_p, [c_void_p]),
    "epi_own_free": (None, [c_void_p]),
    "epi_job_own": (c_void_p, [c_void_p, c_double, c_void_p]),
    "epi_job_model": (c_void_p, [c_char_p]),
    "epi_job_record": (c_void_p, [c_void_p, c_void_p]),
    "epi_job_file": (c_void_p, [c_char_p, c_char_p, _texts, c_int]),
    "epi_job_runs": (c_int, [c_void_p]),
    "epi_job_note": (c_char_p, [c_void_p, c_int]),
    "epi_job_say": (c_int, [c_void_p, c_char_p, c_char_p]),
    "epi_job_times": (c_int, [c_void_p, c_void_p, c_long, c_int]),
    "epi_job_make": (c_int, [c_void_p]),
    "epi_job_go": (c_int, [c_void_p]),
    "epi_job_end": (c_int, [c_void_p, c_int]),
    "epi_job_stop": (None, [c_void_p]),
    "epi_job_rows": (_doubles, [c_void_p, POINTER(c_long), POINTER(c_int)]),
    "epi_job_events": (_doubles, [c_void_p, POINTER(c_long), POINTER(c_int)]),
    "epi_job_text": (c_char_p, [c_void_p, c_char_p]),
    "epi_job_error": (c_char_p, [c_void_p]),
    "epi_job_cause": (c_int, [c_void_p]),
    "epi_jobs_report": (c_int, [c_char_p, c_char_p, POINTER(c_void_p), c_int, c_void_p, c_size_t]),
    "epi_job_free": (None, [c_void_p]),
    "epi_job_advance": (c_int, [c_void_p, c_double, c_long]),
    "epi_job_reach": (c_int, [c_void_p, c_double, c_double]),
    "epi_job_state": (_doubles, [c_void_p, POINTER(c_double), POINTER(c_int)]),
    "epi_job_calls": (c_long, [c_void_p]),
    "epi_job_sweep": (c_void_p, [c_void_p, _texts, _texts]),
    "epi_job_sweep_run": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "epi_job_sweep_why": (c_char_p, [c_void_p, c_longlong]),
    "epi_sweep_cases": (c_longlong, [c_void_p]),
    "epi_sweep_axes": (c_int, [c_void_p]),
    "epi_sweep_keeps": (c_int, [c_void_p]),
    "epi_sweep_axis": (c_char_p, [c_void_p, c_int, _texts, POINTER(c_longlong)]),
    "epi_sweep_kept": (c_char_p, [c_void_p, c_int, _texts]),
    "epi_sweep_stop": (None, [c_void_p]),
    "epi_sweep_free": (None, [c_void_p]),
    "epi_import_urdf": (c_void_p, [c_char_p, c_char_p, c_size_t, _texts, c_int]),
    "epi_import_error": (c_char_p, [c_void_p]),
    "epi_import_text": (c_char_p, [c_void_p]),
    "epi_import_note": (c_char_p, [c_void_p, c_int]),
    "epi_import_free": (None, [c_void_p]),
}
for _name, (_returns, _takes) in _TYPES.items():
    getattr(lib, _name).restype = _returns
    getattr(lib, _name).argtypes = _takes


def encoded(text: str) -> bytes:
    """A text as C has it: there it would end at a character of number zero."""
    data = text.encode()
    if b"\0" in data:
        raise EpicycleError(f"{text!r} holds the character of number zero, at which a text ends: take it away")
    return data


def texts(words: Optional[list]) -> Any:
    """A list of texts as C has it, ended by NULL."""
    if words is None:
        return None
    return (c_char_p * (len(words) + 1))(*[encoded(w) for w in words], None)


def word(x: Any) -> str:
    """A number, or a text with its unit, as the library reads it."""
    if isinstance(x, str):
        return x
    if isinstance(x, bool):
        return "1" if x else "0"
    if hasattr(x, "tolist"):
        x = x.tolist()
    if isinstance(x, (list, tuple)):
        return "[" + ", ".join(word(e) for e in x) + "]"
    if isinstance(x, (int, float)):
        return repr(x)
    raise TypeError(f"{x!r} is neither a number nor a text with a unit, such as '12000 rpm'")


class _Signals:
    """Signals are seen while the library runs. The main thread is then deep in C, and Python would attend to Ctrl-C only at the end: a
    thread that waits on the wake-up pipe stops the run. And an exception must not come up in a function that C calls, where it would be
    lost: handlers are put off until the library has come back. Where they raise nothing, the run goes on."""

    KINDS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGUSR1", "SIGUSR2") if hasattr(signal, name))

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.stops: List[Callable[[], None]] = []
        self.handlers: Dict[int, Any] = {}
        self.pending: List[int] = []
        self.before = -1
        self.owner = 0

    def begin(self) -> None:
        self.owner = os.getpid()
        self.lock = threading.Lock()
        read, self.write = os.pipe()
        os.set_blocking(self.write, False)
        threading.Thread(target=self.watch, args=(read,), name="epicycle-signals", daemon=True).start()

    def watch(self, read: int) -> None:
        while True:
            data = os.read(read, 512)
            if self.before >= 0:
                try:
                    os.write(self.before, data)
                except OSError:
                    pass
            with self.lock:
                for stop in self.stops:
                    stop()

    def note(self, number: int, frame: Any) -> None:
        self.pending.append(number)

    def run(self, call: Callable[[], int], stop: Callable[[], None]) -> int:
        if threading.current_thread() is not threading.main_thread():
            return call()
        if self.owner != os.getpid():
            self.begin()
        outermost = not self.stops
        with self.lock:
            self.stops.append(stop)
        if outermost:
            self.enter()
        try:
            return call()
        finally:
            with self.lock:
                self.stops.pop()
            handlers = self.handlers
            if outermost:
                self.leave()
            while self.pending:
                number = self.pending.pop(0)
                handlers[number](number, None)

    def enter(self) -> None:
        self.before = signal.set_wakeup_fd(self.write, warn_on_full_buffer=False)
        self.handlers = {k: f for k, f in ((k, signal.getsignal(k)) for k in self.KINDS) if callable(f)}
        for k in self.handlers:
            signal.signal(k, self.note)

    def leave(self) -> None:
        for k, f in self.handlers.items():
            signal.signal(k, f)
        signal.set_wakeup_fd(self.before, warn_on_full_buffer=False)
        self.before = -1


signals = _Signals()
