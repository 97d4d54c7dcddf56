"""Models by name, model files, worlds, the catalogue."""
import ctypes
import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Union

from ._code import compiled
from ._job import Job, warn
from ._library import Cause, EpicycleError, RunError, encoded, lib, texts, word
from ._result import Result, Results

_WORDS = ("flow", "step", "end", "every", "motion", "fast", "multipliers", "actions", "force")


def options(given: Dict[str, Any]) -> Dict[str, Any]:
    """What is said of the run itself is taken out; parameters stay."""
    said = {k: given.pop(k) for k in _WORDS if k in given}
    said["tol"] = given.pop("rtol", None)
    return said


def _finish(job: Job, said: Dict[str, Any], pictures: bool) -> Result:
    job.say(**said, pictures=pictures)
    job.make()
    error = job.go()
    result = Result(job, job.told())
    if error:
        failed = RunError(error, result)
        failed.cause = Cause(job.cause)
        raise failed
    warn(result.warnings)
    return result


def run(model: str, *, pictures: bool = True, **given: Any) -> Union[Result, Results]:
    """Runs a model by its name, a model file or a robot in URDF: ``ep.run("bearing", speed="12000 rpm", end="1 ms")``.

    Of the run: ``flow`` ("auto": one is chosen), ``step``, ``end``, ``every``, ``rtol``, ``motion``, ``fast``, ``multipliers``,
    ``actions``; times may have units. Anything else is a parameter of the model, a number or a text with its unit.
    ``pictures=False`` keeps nothing for the report.
    """
    said = options(given)
    if is_file(model):
        return load(model, **given).run(pictures=pictures, **said)
    return _finish(job_of(model, given), said, pictures)


def is_file(model: Any) -> bool:
    return os.fspath(model).endswith((".yaml", ".yml", ".urdf"))


def job_of(model: Any, given: Dict[str, Any]) -> Job:
    """A run of a model by its name, or in C, with these parameters."""
    name = os.fspath(model)
    if name.endswith((".c", ".so", ".dylib")):
        job = Job(lib.epi_job_record(*compiled(name)))
    else:
        job = Job(lib.epi_job_model(encoded(name)))
    job.say(**given)
    return job


def check(model: str, **given: Any) -> Union[Dict[str, Any], List[Dict[str, Any]]]:
    """What a run would be, without running it: flow, step, claims of its nodes, and how the flow was chosen; of a file with several runs
    a list."""
    said = options(given)
    if is_file(model):
        file = load(model, **given)
        all_of = [_checked(file._job(i), said) for i in range(file.runs)]
        return all_of[0] if len(all_of) == 1 else all_of
    return _checked(job_of(model, given), said)


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
            while lib.epi_job_note(p, len(self.notes)):
                self.notes.append(lib.epi_job_note(p, len(self.notes)).decode("utf-8", "replace"))
        warn(self.notes)
        self._yaml = first.text("yaml")
        first.close()

    def _job(self, i: int) -> Job:
        text = encoded(self._text) if self._text is not None else None
        return Job(lib.epi_job_file(encoded(self.path), text, texts(self._given) if self._given else None, i))

    def run(self, *, pictures: bool = True, **said: Any) -> Union[Result, Results]:
        """Its run, or all of them; what is said here overrides the file."""
        if "rtol" in said:
            said["tol"] = said.pop("rtol")
        runs = [_finish(self._job(i), said, pictures) for i in range(self.runs)]
        return runs[0] if len(runs) == 1 else Results(runs)

    def yaml(self) -> str:
        return self._yaml


def load(path: Union[str, "os.PathLike[str]"], **given: Any) -> Union[File, "Code"]:
    """Reads a model file; what is given overrides its parameters, any other number of its world goes by its path:
    ``ep.load("crank.yaml", **{"bodies.crank.mass": "2 kg"})``.

    A robot in URDF becomes one: what is given are positions of its joints at the start, ``ep.load("arm.urdf", elbow="30 deg")``;
    ``free=True`` makes its root a body. What is taken how, and what is not carried over, is warned of and stands in ``notes``.

    A model in C, as `epicycle new` prints one, is compiled by the compiler of the system (CC, CFLAGS); a shared object of one is loaded:
    ``ep.load("pump.c", k="2 N/m").run(end=1)``. That is code, which runs in this process."""
    name = os.fspath(path)
    if name.endswith((".c", ".so", ".dylib")):
        return Code(name, given)
    return _robot(name, given) if name.endswith(".urdf") else File(name, None, given)


class Code:
    """A model in C with its parameters: ``run(end=...)`` runs it, ``sweep(over)`` many of it."""

    runs = 1

    def __init__(self, path: str, given: Dict[str, Any]):
        self.path, self._given = path, given
        job_of(path, given).close()

    def run(self, *, pictures: bool = True, **said: Any) -> Result:
        if "rtol" in said:
            said["tol"] = said.pop("rtol")
        return _finish(job_of(self.path, self._given), said, pictures)

    def yaml(self) -> str:
        raise EpicycleError(f"{self.path} is code: a model file may name it, as `model: {os.path.basename(self.path)}`, for the command")


def _robot(path: str, given: Dict[str, Any]) -> File:
    free = given.pop("free", False)
    r = lib.epi_import_urdf(encoded(path), None, 0, texts([f"{k}={word(v)}" for k, v in given.items()]), bool(free))
    if not r:
        raise MemoryError("the robot could not be read")
    try:
        error = lib.epi_import_error(r)
        if error:
            raise EpicycleError(error.decode("utf-8", "replace"))
        file = File(path, lib.epi_import_text(r).decode(), {})
        notes: List[str] = []
        while lib.epi_import_note(r, len(notes)):
            notes.append(lib.epi_import_note(r, len(notes)).decode())
        file.notes += notes
    finally:
        lib.epi_import_free(r)
    warn(notes)
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
