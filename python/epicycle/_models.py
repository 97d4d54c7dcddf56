"""Models by name, model files, worlds, sweeps."""
import ctypes
import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._job import Job, warn
from ._library import STOPPED, EpicycleError, RunError, lib, texts, word
from ._result import Result, Results, frame

_OPTIONS = ("flow", "step", "end", "every", "motion", "fast", "multipliers", "force")


def _options(given: Dict[str, Any]) -> Dict[str, Any]:
    """What is said of the run itself is taken out; parameters stay."""
    said = {k: given.pop(k) for k in _OPTIONS if k in given}
    said["tol"] = given.pop("rtol", None)
    return said


def _finish(job: Job, said: Dict[str, Any], pictures: bool) -> Result:
    job.say(**said, pictures=pictures)
    job.make()
    error = job.go()
    result = Result(job, job.told())
    if error:
        raise RunError(error, result)
    warn(result.warnings)
    return result


def run(model: str, *, pictures: bool = True, **given: Any) -> Union[Result, Results]:
    """Runs a model by its name, a model file or a robot in URDF: ``ep.run("bearing", speed="12000 rpm", end="1 ms")``.

    Of the run: ``flow`` ("auto": one is chosen), ``step``, ``end``, ``every``, ``rtol``, ``motion``, ``fast``, ``multipliers``; times
    may have units. Anything else is a parameter of the model, a number or a text with its unit. ``pictures=False`` keeps nothing for the
    report.
    """
    if os.fspath(model).endswith((".yaml", ".yml", ".urdf")):
        said = _options(given)
        return load(model, **given).run(pictures=pictures, **said)
    said = _options(given)
    job = Job(lib.epi_job_model(model.encode()))
    job.say(**given)
    return _finish(job, said, pictures)


def check(model: str, **given: Any) -> Union[Dict[str, Any], List[Dict[str, Any]]]:
    """What a run would be, without running it: flow, step, claims of its nodes, and how the flow was chosen; of a file with several runs
    a list."""
    said = _options(given)
    if os.fspath(model).endswith((".yaml", ".yml", ".urdf")):
        file = load(model, **given)
        all_of = [_checked(file._job(i), said) for i in range(file.runs)]
        return all_of[0] if len(all_of) == 1 else all_of
    job = Job(lib.epi_job_model(model.encode()))
    job.say(**given)
    return _checked(job, said)


def _checked(job: Job, said: Dict[str, Any]) -> Dict[str, Any]:
    try:
        job.say(**said)
        job.make()
        return job.told()["run"]
    finally:
        job.close()


class File:
    """A model file that was read: ``run()`` runs it, ``yaml()`` is its text in canonical form."""

    def __init__(self, path: str, text: Optional[str], given: Dict[str, Any]):
        if text is None and not os.path.exists(path):
            raise FileNotFoundError(f"there is no model file {path}")
        self.notes: List[str] = []
        self.path, self._text, self._given = path, text, [f"{k}={word(v)}" for k, v in given.items()]
        first = self._job(0)
        with first.held() as p:
            self.runs = lib.epi_job_runs(p)
        self._yaml = first.text("yaml")
        first.close()

    def _job(self, i: int) -> Job:
        text = self._text.encode() if self._text is not None else None
        return Job(lib.epi_job_file(self.path.encode(), text, texts(self._given) if self._given else None, i))

    def run(self, *, pictures: bool = True, **said: Any) -> Union[Result, Results]:
        """Its run, or all of them; what is said here overrides the file."""
        if "rtol" in said:
            said["tol"] = said.pop("rtol")
        runs = [_finish(self._job(i), said, pictures) for i in range(self.runs)]
        return runs[0] if len(runs) == 1 else Results(runs)

    def yaml(self) -> str:
        return self._yaml


def load(path: Union[str, "os.PathLike[str]"], **given: Any) -> File:
    """Reads a model file; what is given overrides its parameters, any other number of its world goes by its path:
    ``ep.load("crank.yaml", **{"bodies.crank.mass": "2 kg"})``.

    A robot in URDF becomes one: what is given are positions of its joints at the start, ``ep.load("arm.urdf", elbow="30 deg")``;
    ``free=True`` makes its root a body. What is taken how, and what is not carried over, is warned of and stands in ``notes``."""
    name = os.fspath(path)
    return _robot(name, given) if name.endswith(".urdf") else File(name, None, given)


def _robot(path: str, given: Dict[str, Any]) -> File:
    free = given.pop("free", False)
    r = lib.epi_import_urdf(path.encode(), None, 0, texts([f"{k}={word(v)}" for k, v in given.items()]), bool(free))
    if not r:
        raise MemoryError("the robot could not be read")
    try:
        error = lib.epi_import_error(r)
        if error:
            raise EpicycleError(error.decode("utf-8", "replace"))
        file = File(path, lib.epi_import_text(r).decode(), {})
        while lib.epi_import_note(r, len(file.notes)):
            file.notes.append(lib.epi_import_note(r, len(file.notes)).decode())
    finally:
        lib.epi_import_free(r)
    warn(file.notes)
    return file


class World:
    """Bodies, joints, contacts, springs and loads, with the keys of a model file (docs/model-files.md)::

        w = ep.World(gravity=9.81)
        w.body("bob", ball="10 mm", mass="20 g", at=[0.1, 0, 0])
        w.joint("pin", a="bob", hold="hinge", at=[0, 0, 0], axis="y")
        r = w.run(end="2 s")
    """

    def __init__(self, title: Optional[str] = None, parameters: Optional[Dict[str, Any]] = None, **world: Any):
        self.tree: Dict[str, Any] = {"world": world}
        if title:
            self.tree["title"] = title
        if parameters:
            self.tree["parameters"] = parameters

    def _add(self, section: str, name: str, keys: Dict[str, Any]) -> "World":
        self.tree["world"].setdefault(section, []).append({"name": name, **keys})
        return self

    def body(self, name: str, **keys: Any) -> "World":
        return self._add("bodies", name, keys)

    def joint(self, name: str, **keys: Any) -> "World":
        return self._add("joints", name, keys)

    def contact(self, name: str, **keys: Any) -> "World":
        return self._add("contacts", name, keys)

    def spring(self, name: str, **keys: Any) -> "World":
        return self._add("springs", name, keys)

    def load(self, name: str, **keys: Any) -> "World":
        return self._add("loads", name, keys)

    def coupling(self, name: str, **keys: Any) -> "World":
        return self._add("couplings", name, keys)

    def file(self) -> File:
        """The world as a model file that was read: one path for all worlds. JSON is YAML."""
        text = json.dumps(self.tree, indent=1, default=lambda x: x.tolist() if hasattr(x, "tolist") else str(x))
        return File("world", text, {})

    def run(self, **said: Any) -> Union[Result, Results]:
        return self.file().run(**said)

    def yaml(self) -> str:
        return self.file().yaml()


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

    def frame(self) -> Any:
        return frame({**self.values, **self.kept, "outcome": self.outcome})


def sweep(model: str, over: Mapping[str, Any], keep: Optional[Sequence[str]] = None, *, samples: Optional[int] = None,
          seed: Optional[int] = None, latin: bool = False, workers: Optional[int] = None, limit: Any = None, **given: Any) -> Sweep:
    """One model many times, on all cores: ``ep.sweep("kepler", {"e": "0.1:0.9:0.1"}, keep=["x", "energy.max"], end=10)``.

    over: names and what they run over: an array, or a text such as "0.1:0.9/5", "log(1, 1e6, 7)", "uniform(0, 1)"; also step, end, tol,
    start.x. keep: columns at the end, or NAME.max, NAME.mean, at(NAME).count ...; nothing: every column.
    """
    said = _options(given)
    if os.fspath(model).endswith(".urdf"):
        raise EpicycleError("a sweep is of a model file: write ep.load(...).yaml() of the robot to one")
    if os.fspath(model).endswith((".yaml", ".yml")):
        opened = {k: v for k, v in given.items()}
        file = File(os.fspath(model), None, opened)
        file._given += [k for k in over if "." in k and not k.startswith("start.")]
        job = file._job(0)
        over = {k.replace(".", "_") if "." in k and not k.startswith("start.") else k: v for k, v in over.items()}
    else:
        job = Job(lib.epi_job_model(model.encode()))
        job.say(**given)
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
    from ._library import signals
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


class Record:
    """A model or a method: its description, options with defaults, and citation. A model is called to run it."""

    def __init__(self, told: Dict[str, Any], callable_: bool):
        self.__dict__.update(told)
        self.name: str = told["name"]
        self._runs = callable_
        lines = [told["doc"] or ""]
        for p in told["params"]:
            value = "" if p["value"] is None else f" = {p['value']}"
            unit = f" {p['unit']}" if p["unit"] else ""
            words = f" ({', '.join(p['words'])})" if p["words"] else ""
            lines.append(f"    {p['name']}{value}{unit}: {p['doc'] or ''}{words}")
        lines += [f"example: {told['example']}"] if told.get("example") else []
        lines += [told["cite"]] if told["cite"] else []
        self.__doc__ = "\n".join(lines)

    def __call__(self, **given: Any) -> Union[Result, Results]:
        if not self._runs:
            raise TypeError(f"{self.name} is a method: give it as a flow, as in flow=\"{self.__dict__.get('example', self.name)}\"")
        return run(self.name, **given)

    def __repr__(self) -> str:
        return f"{self.name}: {self.__doc__}"


class Catalog(Mapping):
    """Records by their names; ``print(ep.models)`` lists them, ``help(ep.models.kepler)`` and ``ep.models["kepler"]`` show one."""

    _all: Optional[Dict[str, Any]] = None

    def __init__(self, kind: str):
        self._kind = kind

    def _records(self) -> Dict[str, Record]:
        if "_found" not in self.__dict__:
            if Catalog._all is None:
                text = ctypes.create_string_buffer(lib.epi_catalog(None, 0) + 1)
                lib.epi_catalog(text, len(text))
                Catalog._all = json.loads(text.value)
            self._found = {r["name"]: Record(r, self._kind == "models") for r in Catalog._all[self._kind]}
        return self._found

    def __getitem__(self, name: str) -> Record:
        records = self._records()
        if name not in records:
            import difflib
            near = difflib.get_close_matches(name, records, 1)
            raise KeyError(f"there is no '{name}'" + (f"; did you mean {near[0]}?" if near else f" among the {self._kind}"))
        return records[name]

    def __getattr__(self, name: str) -> Record:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name.replace("_", "-")]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._records())

    def __len__(self) -> int:
        return len(self._records())

    def __dir__(self) -> List[str]:
        return [name.replace("-", "_") for name in self]

    def __repr__(self) -> str:
        return "\n".join(f"{name:24} {(r.__dict__['doc'] or '').splitlines()[0]}" for name, r in self._records().items())


models = Catalog("models")
methods = Catalog("methods")
