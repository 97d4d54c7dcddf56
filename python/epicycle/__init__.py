"""Epicycle: multiscale, structure-preserving and adaptive time integration of mechanical systems.

    import epicycle as ep
    s = ep.solve_ivp(lambda t, q: -q, (0, 10), q0=[1], v0=[0], rtol=1e-9)      # q'' = -q
    r = ep.run("bearing", speed="12000 rpm", end="1 ms")                       # a model by its name

``ep.System``, ``ep.Flow``, ``ep.World``, ``ep.load``, ``ep.sweep``, ``ep.check``; ``ep.models`` and ``ep.methods`` say what there is.
"""
from ._library import Cause, EpicycleError, EpicycleWarning, OutOfMemory, RunError, lib as _lib
from ._models import Code, File, World, check, load, methods, models, run
from ._result import Result, Results
from ._solve import Flow, OdeResult, Solution, solve_ivp
from ._sweep import Sweep, sweep
from ._system import System

__version__: str = _lib.epi_version().decode()
__all__ = ["Cause", "Code", "EpicycleError", "EpicycleWarning", "File", "Flow", "OdeResult", "OutOfMemory", "Result", "Results", "RunError",
           "Solution", "Sweep", "System", "World", "check", "load", "methods", "models", "run", "solve_ivp", "sweep"]
