"""One run in the library, behind a handle that knows when it is closed and which thread has it."""
import ctypes
import json
import os
import sys
import threading
import warnings
import weakref
from contextlib import contextmanager
from typing import Any, Dict, Iterator, Optional

import numpy as np

from ._library import INTERRUPTED, STOPPED, EpicycleError, EpicycleWarning, encoded, error_of, lib, signals, word
from ._system import Built


def _free(job: Any, own: Any) -> None:
    lib.epi_job_free(job)
    if own:
        lib.epi_own_free(own)


class Gone:
    """In place of the run of a result that was pickled: it was left where it ran."""

    @contextmanager
    def held(self) -> Iterator[Any]:
        raise ValueError("this result was pickled: it has its arrays and statistics, and its run is not here; write the report where "
                         "it ran")
        yield

    def close(self) -> None:
        pass


class Crew:
    """Threads that work for one call: what stops it stops the runs of all of them."""

    here = threading.local()

    def __init__(self) -> None:
        self.lock, self.stops, self.over = threading.Lock(), [], False

    def run(self, call: Any, stop: Any) -> int:
        with self.lock:
            if self.over:
                raise KeyboardInterrupt
            self.stops.append(stop)
        try:
            return call()
        finally:
            with self.lock:
                self.stops.remove(stop)

    def stop(self) -> None:
        with self.lock:
            self.over = True
            for stop in self.stops:
                stop()


class Job:
    """A handle of epi_job: of a system (``built``), a model by name, or a run of a file."""

    def __init__(self, pointer: Any, built: Optional[Built] = None):
        if not pointer:
            raise MemoryError("the run could not be made")
        self._pointer, self.built = pointer, built
        self._lock = threading.Lock()
        # by their addresses alone: what it held would live as long as the program, and the functions of a system may hold this run
        self._close = weakref.finalize(self, _free, pointer, built.p if built is not None else None)
        error = lib.epi_job_error(pointer)
        if error:
            refused = error_of(error.decode(), lib.epi_job_cause(pointer))
            self.close()
            raise refused

    def close(self) -> None:
        """Gives its memory back; later use raises. Nothing happens the second time."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this run is being moved: it can be closed when it has come back")
        try:
            self._pointer = None
            self._close()
            if self.built is not None:
                self.built.p = None
        finally:
            self._lock.release()

    def __deepcopy__(self, memo: Any) -> "Job":
        """A run in the library is one: copies of its result share it."""
        return self

    def __reduce__(self) -> Any:
        return Gone, ()

    @contextmanager
    def held(self) -> Iterator[Any]:
        """The pointer, for this thread alone."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread, or a function of this run itself, is using it: a flow belongs to one thread; make one for "
                               "each")
        try:
            if self._pointer is None:
                raise ValueError("this run is closed: make another")
            yield self._pointer
        finally:
            self._lock.release()

    def _stop(self) -> None:
        lib.epi_job_stop(self._pointer)

    def run(self, call: Any) -> int:
        """A call that may take long. Signals are attended to; what functions of the user's raise is raised again."""
        crew = getattr(Crew.here, "crew", None)
        while True:
            code = (crew or signals).run(call, self._stop)
            if self.built is not None:
                self.built.raise_again()
            if code != INTERRUPTED:
                return code

    def check(self, bad: int, pointer: Any) -> None:
        if bad:
            raise error_of(lib.epi_job_error(pointer).decode() or "stopped", lib.epi_job_cause(pointer))

    def say(self, **what: Any) -> None:
        with self.held() as p:
            for name, x in what.items():
                if x is not None:
                    self.check(lib.epi_job_say(p, encoded(name), encoded(word(x))), p)

    def times(self, t: np.ndarray, places: int) -> None:
        with self.held() as p:
            self.check(lib.epi_job_times(p, t.ctypes.data, t.size, places), p)

    def make(self) -> None:
        with self.held() as p:
            self.check(self.run(lambda: lib.epi_job_make(p)), p)

    def go(self) -> str:
        """To its end; the sentence of a failure, or nothing."""
        with self.held() as p:
            code = self.run(lambda: lib.epi_job_go(p))
            bad = lib.epi_job_end(p, code)
            if self.built is not None:
                self.built.raise_again()
            self.cause = lib.epi_job_cause(p)
            return lib.epi_job_error(p).decode() if bad not in (0, STOPPED) else ""

    def table(self, function: Any) -> np.ndarray:
        """Rows or events, as an array of Python's own."""
        rows, columns = ctypes.c_long(), ctypes.c_int()
        with self.held() as p:
            at = function(p, rows, columns)
            if not at or not rows.value:
                return np.zeros((0, columns.value))
            return np.ctypeslib.as_array(at, (rows.value, columns.value)).copy()

    def text(self, what: str) -> str:
        with self.held() as p:
            return lib.epi_job_text(p, what.encode()).decode("utf-8", "replace")

    def told(self) -> Dict[str, Any]:
        text = self.text("json")
        if not text:
            raise MemoryError("what is known of the run could not be written")
        return json.loads(text)


def warn(sentences: Any) -> None:
    """Each as a warning of the line that called the package; those of the cases of a sweep stand in its table."""
    if getattr(Crew.here, "quiet", False):
        return
    level, frame = 2, sys._getframe(1)
    here = os.path.dirname(os.path.abspath(__file__))
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == here:
        level, frame = level + 1, frame.f_back
    for sentence in sentences:
        warnings.warn(sentence, EpicycleWarning, stacklevel=level)
