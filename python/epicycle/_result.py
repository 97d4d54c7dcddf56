"""Results of models and worlds: columns as arrays, tables, pictures, the report page."""
import ctypes
import html
import os
import tempfile
from contextlib import ExitStack
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

import numpy as np

from ._job import Gone, Job
from ._library import EpicycleError, encoded, lib


def frame(columns: Dict[str, np.ndarray]) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("a frame needs pandas: install it, or take the arrays themselves") from None
    return pandas.DataFrame(columns)


def plot(t: np.ndarray, columns: Dict[str, np.ndarray], names: Sequence[str], ax: Any, units: Optional[Dict[str, str]] = None) -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("a plot needs matplotlib: install it, or take the arrays themselves") from None
    if ax is None:
        ax = pyplot.subplots()[1]
    for name in names:
        if name not in columns:
            raise EpicycleError(f"there is no column '{name}'; there are: {', '.join(columns)}")
        unit = (units or {}).get(name)
        ax.plot(t, columns[name], label=f"{name} ({unit})" if unit else name)
    ax.set_xlabel("t (s)" if units else "t")
    ax.legend()
    return ax


def page(jobs: List[Job], title: Optional[str] = None, path: Optional[str] = None) -> str:
    """The report page of these runs, as one text; written to path, where that is given."""
    error = ctypes.create_string_buffer(1024)
    with ExitStack() as held:
        pointers = [held.enter_context(job.held()) for job in jobs]
        place = str(path) if path else os.path.join(held.enter_context(tempfile.TemporaryDirectory()), "page.html")
        all_of = (ctypes.c_void_p * len(pointers))(*pointers)
        if lib.epi_jobs_report(encoded(place), encoded(title) if title else None, all_of, len(pointers), error, len(error)):
            raise EpicycleError(error.value.decode())
        with open(place, encoding="utf-8") as f:
            return f.read()


def shown(text: str) -> str:
    """In a notebook the page is alive in a frame of its own."""
    return f'<iframe srcdoc="{html.escape(text)}" width="100%" height="720" style="border: 0"></iframe>'


class Result:
    """What a run gave. ``result["x"]`` is a column, ``t`` the times, ``data`` all of it, ``stats`` what is known of the run.

    It can be copied and pickled: a copy shares the run in the library, from which ``report`` is drawn; what was pickled has everything but
    that."""

    def __init__(self, job: Job, told: Dict[str, Any]):
        self._job = job
        self.data = job.table(lib.epi_job_rows)
        self.stats = told["run"]
        self.name, self.title = told["name"], told["title"]
        self.names = [name for name, _ in told["columns"]]
        self.units = {name: unit or "" for name, unit in told["columns"]}
        self.columns = self._columns()
        self.flow, self.warnings, self.status = self.stats["flow"], self.stats["warnings"], self.stats["status"]
        self.nfev = self.stats["calls"]
        hits = job.table(lib.epi_job_events)
        self.events = dict(zip(["number", "which", "t", "direction"] + self.names[1:], hits.T))

    def _columns(self) -> Dict[str, np.ndarray]:
        return {name: self.data[:, i] for i, name in enumerate(self.names)}

    def __getstate__(self) -> Dict[str, Any]:
        return {k: x for k, x in self.__dict__.items() if k != "columns"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.columns = self._columns()

    @property
    def t(self) -> np.ndarray:
        return self.data[:, 0]

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            raise KeyError(f"there is no column '{name}'; there are: {', '.join(self.names)}")
        return self.columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def frame(self) -> Any:
        """A pandas table, a row for each time."""
        return frame(self.columns)

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Curves over time by matplotlib: of the columns named, or of the first three."""
        return plot(self.t, self.columns, names or self.names[1:4], ax, self.units)

    def report(self, path: Optional[str] = None) -> str:
        """The report page as a text; written to path, where that is given."""
        return page([self._job], self.title, path)

    def _repr_html_(self) -> Optional[str]:
        return None if isinstance(self._job, Gone) else shown(self.report())

    def close(self) -> None:
        """Gives the memory of the run back; the arrays stay."""
        self._job.close()

    def __repr__(self) -> str:
        return f"<epicycle run of {self.stats['model']}: {self.status}, {len(self.data)} rows of {', '.join(self.names)}; flow {self.flow}>"


class Results:
    """The runs of one file, by their number or name."""

    def __init__(self, runs: List[Result]):
        self.runs = runs

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.runs)

    def __getitem__(self, which: Union[int, str]) -> Result:
        if isinstance(which, int):
            return self.runs[which]
        for r in self.runs:
            if r.name == which:
                return r
        raise KeyError(f"there is no run '{which}'; there are: {', '.join(str(r.name) for r in self.runs)}")

    def report(self, path: Optional[str] = None) -> str:
        return page([r._job for r in self.runs], self.runs[0].title, path)

    def _repr_html_(self) -> Optional[str]:
        return None if any(isinstance(r._job, Gone) for r in self.runs) else shown(self.report())
