"""Models in C: compiled, loaded, and checked to be of this library."""
import ctypes
import os
import shlex
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Optional, Tuple

from ._library import EpicycleError, lib

_known: Dict[Tuple[str, float, str], Tuple[Any, int, int]] = {}      # what was loaded stays loaded


def _headers() -> List[str]:
    """Where epicycle.h is: in the package, beside it in a source tree, or where the compiler itself looks."""
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in (os.path.join(here, "include"), os.path.join(here, "..", "..", "include")):
        if os.path.exists(os.path.join(folder, "epicycle.h")):
            return ["-I" + folder]
    return []


def _compile(path: str, object_: str) -> None:
    words = shlex.split(os.environ.get("CC") or "cc")
    words += ["-O2", "-g", "-std=gnu11", "-ffp-contract=off", "-fPIC", "-shared"]
    words += ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-Wl,-Bsymbolic"]
    words += shlex.split(os.environ.get("CFLAGS") or "") + _headers() + ["-o", object_, os.path.abspath(path), "-lm"]
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except OSError as error:
        raise EpicycleError(f"{path} needs a C compiler and '{words[0]}' cannot be started ({error.strerror}): install gcc, set CC, or "
                            "give a shared object") from None
    if done.returncode:
        raise EpicycleError(f"{path} does not compile: mend what {words[0]} says, or let `epicycle upgrade {path}` do so if it is for an "
                            f"earlier version:\n{done.stderr.strip()}")


def _open(path: str, object_: str) -> Tuple[Any, int, int]:
    # the model finds the functions of this library, wherever it was loaded from
    ctypes.CDLL(lib._name, mode=ctypes.RTLD_GLOBAL)
    try:
        code = ctypes.CDLL(object_)
    except OSError as error:
        raise EpicycleError(f"{path} cannot be loaded: {error}") from None

    def symbol(name: str) -> Optional[int]:
        return ctypes.addressof(ctypes.c_char.in_dll(code, name)) if hasattr(code, name) else None
    model, abi = symbol("epicycle_model"), symbol("epicycle_abi")
    if model is None or abi is None:
        raise EpicycleError(f"{path} holds no model: end it with EPI_MODEL = {{.name = ..., .make = ...}}; `epicycle new mymodel` prints a "
                            "whole one")
    return code, model, abi


def compiled(path: str) -> Tuple[int, int]:
    """Addresses of the record in this file and of what it was compiled with. A file that was not changed is compiled once."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {path}: `epicycle new mymodel > mymodel.c` begins one")
    key = os.path.abspath(path), os.stat(path).st_mtime_ns, f"{os.environ.get('CC')} {os.environ.get('CFLAGS')}"
    if key not in _known:
        if path.endswith(".c"):
            with tempfile.TemporaryDirectory() as folder:
                object_ = os.path.join(folder, "model.so")
                _compile(path, object_)
                _known[key] = _open(path, object_)
        else:
            _known[key] = _open(path, os.path.abspath(path))
    return _known[key][1], _known[key][2]
