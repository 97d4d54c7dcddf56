"""solve_ivp against scipy and against closed forms."""
import copy
import pickle

import numpy as np
import pytest
from scipy.integrate import solve_ivp as scipy_ivp

import epicycle as ep


def first_order(force):
    def rhs(t, y):
        n = y.size//2
        return np.concatenate([y[n:], force(t, y[:n])])
    return rhs


def kepler(t, q):
    return -q/(q @ q)**1.5


def hills(t, q):
    x, y = q
    return np.array([-x - 2*x*y, -y - x*x + y*y])


MODELS = {
    "pendulum": (lambda t, q: -np.sin(q), [2.5], [0.0], 30.0),
    "kepler": (kepler, [0.4, 0.0], [0.0, 2.0], 20.0),
    "henon-heiles": (hills, [0.0, 0.1], [0.4, 0.1], 30.0),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("rtol", [1e-6, 1e-9])
def test_as_right_as_scipy(name, rtol):
    """At the same tolerance auto is right to it, which scipy's, of a step alone, need not be."""
    force, q0, v0, end = MODELS[name]
    t = np.linspace(0, end, 41)
    exact = scipy_ivp(first_order(force), (0, end), q0 + v0, method="DOP853", rtol=3e-14, atol=1e-14, t_eval=t).y
    scale = abs(exact).max(axis=1, keepdims=True)
    ours = ep.solve_ivp(force, (0, end), q0=q0, v0=v0, rtol=rtol, t_eval=t)
    assert ours.success and ours.status == 0 and (ours.t == t).all()
    assert (abs(ours.y - exact)/scale).max() <= rtol
    theirs = scipy_ivp(first_order(force), (0, end), q0 + v0, method="DOP853", rtol=rtol, atol=rtol, t_eval=t).y
    given = ep.solve_ivp(force, (0, end), q0=q0, v0=v0, flow="dop853", rtol=rtol, t_eval=t)
    assert (abs(given.y - exact)/scale).max() <= 3*(abs(theirs - exact)/scale).max() + 1e-12


def test_shapes_are_those_of_scipy():
    t = np.linspace(0, 5, 7)
    a = ep.solve_ivp(kepler, (0, 5), q0=[1, 0], v0=[0, 1], t_eval=t)
    b = scipy_ivp(first_order(kepler), (0, 5), [1, 0, 0, 1], t_eval=t)
    assert a.y.shape == b.y.shape and a.q.shape == (2, 7) and a.v.shape == (2, 7) and a.t.shape == b.t.shape
    assert a["y"] is a.y and a.sol is None and a.t_events is None and a.nfev > 0 and "nodes" in a.stats
    assert a.message == b.message
    with pytest.raises(AttributeError):
        a.nothing


def test_a_rate_as_scipy_has_it():
    def rhs(t, y, k):
        return [-k*y[0], k*y[0] - y[1]]
    exact = np.exp(-2*3.0), 2*(np.exp(-3.0) - np.exp(-6.0))
    s = ep.solve_ivp(rhs, (0, 3), [1, 0], args=(2,), rtol=1e-9)
    assert abs(s.y[:, -1] - exact).max() < 1e-9
    assert s.z.shape == s.y.shape and s.q.shape[0] == 0


def test_verlet_with_a_step():
    """q_n of Verlet for q'' = -q is cos(n a) with cos a = 1 - h^2/2, to rounding."""
    h, n = 0.1, 100
    s = ep.solve_ivp(lambda t, q: -q, (0, n*h), q0=[1], v0=[0], flow="verlet", step=h)
    assert s.t.size == n + 1
    assert abs(s.q[0] - np.cos(np.arange(n + 1)*np.arccos(1 - h*h/2))).max() < 1e-11


def test_t_eval_changes_no_step():
    many, few = np.linspace(0, 10, 1001), [10.0]
    f = dict(q0=[2.5], v0=[0], flow="tolerance(dop853, rtol=1e-10, atol=1e-10)")
    a = ep.solve_ivp(lambda t, q: -np.sin(q), (0, 10), t_eval=many, **f)
    b = ep.solve_ivp(lambda t, q: -np.sin(q), (0, 10), t_eval=few, **f)
    assert (a.t == many).all() and (b.t == few).all()
    assert (a.y[:, -1] == b.y[:, -1]).all()
    uneven = np.array([0.1, 0.100001, 3, 9.99])
    c = ep.solve_ivp(lambda t, q: -np.sin(q), (0, 10), t_eval=uneven, **f)
    r = scipy_ivp(lambda t, y: [y[1], -np.sin(y[0])], (0, 10), [2.5, 0], method="DOP853", rtol=1e-13, atol=1e-13, t_eval=uneven)
    assert (c.t == uneven).all() and abs(c.y - r.y).max() < 1e-8
    assert ep.solve_ivp(lambda t, q: -q, (0, 1), q0=[1], v0=[0], t_eval=[]).t.size == 0
    assert (ep.solve_ivp(lambda t, q: -q, (0, 1), q0=[1], v0=[0], t_eval=[0, 1]).t == [0, 1]).all()


@pytest.mark.parametrize("flow, step", [("verlet", 0.01), ("symmetric(verlet, order=8)", 0.2), ("tolerance(dop853, rtol=1e-9)", None),
                                        ("gauss(stages=3)", 0.1), ("tolerance(verlet, rtol=1e-7)", None), ("auto", None)])
def test_dense_output(flow, step):
    s = ep.solve_ivp(lambda t, q: -q, (0, 7.05), q0=[1], v0=[0], flow=flow, step=step, dense_output=True, t_eval=[1.0, 2.5, 7.05])
    t = np.linspace(0, 7.05, 777)
    ends = abs(s.sol(s.sol.ts) - [np.cos(s.sol.ts), -np.sin(s.sol.ts)]).max()
    inside = abs(s.sol(t) - [np.cos(t), -np.sin(t)]).max()
    assert inside < 2*ends + 1e-9
    assert (s.t == [1.0, 2.5, 7.05]).all() and abs(s.y - s.sol(s.t)).max() == 0
    assert s.sol(3.0).shape == (2,) and s.sol([3.0]).shape == (2, 1)
    with pytest.raises(ValueError, match="from 0 to 7.05 alone"):
        s.sol(8)


def test_events_stop_and_directions():
    """A ball thrown up at 10 m/s^2: v = 5 - 10 t; highest at 0.5, on the ground at 1."""
    def ground(t, y):
        return y[0]
    ground.terminal, ground.direction = True, -1

    def top(t, y):
        return y[1]

    def never(t, y):
        return y[1] + 100
    s = ep.solve_ivp(lambda t, q: [-10.0], (0, 3), q0=[0], v0=[5], flow="dop853", rtol=1e-10, events=[top, ground, never])
    assert s.status == 1 and s.success and s.message == "A termination event occurred."
    assert abs(s.t_events[0] - [0.5]).max() < 1e-12 and abs(s.t_events[1] - [1.0]).max() < 1e-12 and s.t_events[2].size == 0
    assert abs(s.y_events[0][0] - [1.25, 0]).max() < 1e-12 and s.y_events[2].shape == (0, 2)
    assert abs(s.t[-1] - 1) < 1e-12
    with_times = ep.solve_ivp(lambda t, q: [-10.0], (0, 3), q0=[0], v0=[5], flow="dop853", rtol=1e-10, events=ground,
                              t_eval=[0.2, 0.9, 1.1])
    assert (with_times.t == [0.2, 0.9]).all()
    by_steps = ep.solve_ivp(lambda t, q: [-10.0], (0, 3), q0=[0], v0=[5], flow="verlet", step=0.03, events=[top, ground])
    assert abs(by_steps.t_events[1][0] - 1) < 1e-9 and by_steps.status == 1 and by_steps.t[-1] <= 1 + 1e-9
    dense = ep.solve_ivp(lambda t, q: [-10.0], (0, 3), q0=[0], v0=[5], flow="dop853", rtol=1e-10, events=[top, ground], dense_output=True)
    assert abs(dense.sol(0.7)[0] - (3.5 - 2.45)) < 1e-10 and abs(dense.sol.t_max - 1) < 1e-12


def test_a_terminal_event_leaves_the_step_as_it_is():
    """The limit of a step is that of the flow, whatever its events say; they see no state but the system's."""
    seen = []

    def through(t, y):
        seen.append((y.size, y[5]))
        return y[0]
    through.terminal = True
    s = ep.solve_ivp(lambda t, q: np.append(-q[:1], [0, 0]), (0, 10), q0=[1, 2, 3], v0=[0, 0, 7], flow="verlet", step=0.1, events=through)
    a = np.arccos(1 - 0.1**2/2)/0.1
    assert s.status == 1 and abs(s.t_events[0][0] - np.pi/2/a) < 1e-3 and set(seen) == {(6, 7.0)}
    with pytest.raises(ep.EpicycleError, match="the stability limit of this flow is 2;"):
        ep.solve_ivp(lambda t, q: np.append(-q[:1], [0, 0]), (0, 10), q0=[1, 2, 3], v0=[0, 0, 7], flow="verlet", step=2.5, events=through)


def test_a_chosen_flow_can_be_given_again():
    a = ep.solve_ivp(lambda t, q: -np.sin(q), (0, 10), q0=[2.5], v0=[0], rtol=1e-8, t_eval=[10.0])
    b = ep.solve_ivp(lambda t, q: -np.sin(q), (0, 10), q0=[2.5], v0=[0], flow=a.flow, step=a.stats["step"], t_eval=[10.0])
    assert (a.y == b.y).all()


def test_many_events_keep_their_order():
    levels = [lambda t, y, a=a: y[0] - a for a in np.linspace(-0.9, 0.9, 12)]
    s = ep.solve_ivp(lambda t, q: -q, (0, 3.0), q0=[1], v0=[0], rtol=1e-9, events=levels)
    for a, t in zip(np.linspace(-0.9, 0.9, 12), s.t_events):
        assert abs(t - [np.arccos(a)]).max() < 1e-8


@pytest.mark.long
def test_all_perihelia_of_five_bodies(planets):
    s = ep.solve_ivp(planets.accelerations, (0, planets.end), q0=planets.q0, v0=planets.v0, events=planets.perihelion,
                     flow="tolerance(dop853, rtol=1e-12, atol=1e-14)")
    r = scipy_ivp(first_order(planets.accelerations), (0, planets.end), np.concatenate([planets.q0, planets.v0]), method="DOP853",
                  rtol=1e-13, atol=1e-15, events=planets.perihelion)
    assert len(r.t_events[0]) == 46 and len(s.t_events[0]) == 46
    assert abs(s.t_events[0] - r.t_events[0]).max() < 1e-3
    assert abs(s.y[3, -1] - r.y[3, -1]) < 1e-6


def test_a_trap_by_its_slow_motion():
    """Two ions in a Paul trap: a fast phase, which the chosen flow averages, against scipy that resolves it."""
    w, ws, wz, k = 1000.0, 1.0, 0.5, 1.0

    def forced(t, theta, q):
        a = np.sqrt(2)*w*ws*np.cos(theta)
        f = np.concatenate([[(wz*wz/2 - a)*x, (wz*wz/2 + a)*y, -wz*wz*z] for x, y, z in q.reshape(2, 3)])
        r = q[:3] - q[3:]
        c = k*r/(r @ r)**1.5
        return f + np.concatenate([c, -c])
    y0 = np.array([1, 0.3, 1.2, -0.8, 0.1, -1.1, 0, 0.2, 0, 0, 0, 0.1])
    end = 159*2*np.pi/w
    s = ep.solve_ivp(ep.System(forced=forced, phase_rate=w), (0, end), q0=y0[:6], v0=y0[6:], rtol=1e-4, t_eval=[end])
    r = scipy_ivp(lambda t, y: np.concatenate([y[6:], forced(t, w*t, y[:6])]), (0, end), y0, method="DOP853", rtol=1e-10, atol=1e-10)
    assert abs(s.q[:, -1] - r.y[:6, -1]).max() < 1e-3


def test_a_constraint():
    """A pendulum in Cartesian coordinates keeps its length and its energy, and swings as theta'' = -sin theta does."""
    s = ep.System(lambda t, q: [0.0, -1.0], constraint=lambda t, q: [(q @ q - 1)/2], jacobian=lambda t, q: [[q[0], q[1]]],
                  energy=lambda t, y: y[1] + (y[2]**2 + y[3]**2)/2)
    a = ep.solve_ivp(s, (0, 5), q0=[1, 0], v0=[0, 0], flow="symmetric(verlet, order=6)", step=0.02)
    assert abs((a.q**2).sum(axis=0) - 1).max() < 1e-12
    r = scipy_ivp(lambda t, y: [y[1], -np.sin(y[0])], (0, 5), [np.pi/2, 0], method="DOP853", rtol=1e-12, atol=1e-12)
    assert abs(a.q[0, -1] - np.sin(r.y[0, -1])) < 1e-7
    assert a.stats["invariants"][0]["name"] == "energy" and abs(a.stats["invariants"][0]["max_drift"]) < 1e-7


def test_masses_drag_and_first_order_variables():
    for mass in (4, [4], [[4]]):
        s = ep.solve_ivp(ep.System(lambda t, q: -q, mass=mass), (0, 3), q0=[1], v0=[0], rtol=1e-9)
        assert abs(s.q[0, -1] - np.cos(1.5)) < 1e-8
    s = ep.solve_ivp(ep.System(lambda t, q: 0*q, mass_solve=lambda q, a: a/4, drag=lambda t, q, v: -v), (0, 3), q0=[0], v0=[1], rtol=1e-9)
    assert abs(s.v[0, -1] - np.exp(-0.75)) < 1e-8
    s = ep.solve_ivp(ep.System(lambda t, q: -q, rate=lambda t, y: [y[0]]), (0, 2), q0=[1], v0=[0], z0=[0], flow="dop853", rtol=1e-10)
    assert abs(s.z[0, -1] - np.sin(2)) < 1e-8


def test_a_vectorised_force():
    seen = []

    def batch(t, theta, q):
        seen.append(q.shape)
        return -4*q
    s = ep.solve_ivp(ep.System(lambda t, q: -4*q, batch=batch, period=np.pi), (0, np.pi), q0=[1], v0=[0], flow="picard", step=np.pi/8)
    assert seen and max(shape[1] for shape in seen) > 1
    assert abs(s.q[0, -1] - 1) < 1e-6


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853"])
def test_the_words_of_scipy(method):
    """method, rtol, atol, max_step and first_step mean what they mean there: as many evaluations for as large an error, or nearly."""
    def rhs(t, y, k):
        return [y[1], -k*np.sin(y[0])]

    def top(t, y, k):
        return y[1] + 0*k
    top.direction = -1
    given = dict(args=(2,), method=method, events=top)
    exact = scipy_ivp(rhs, (0, 10), [2.5, 0.1], method="DOP853", rtol=1e-13, atol=1e-13, args=(2,), events=top)
    for more in ({}, dict(rtol=1e-6, atol=1e-8)):
        a, b = ep.solve_ivp(rhs, (0, 10), [2.5, 0.1], **given, **more), scipy_ivp(rhs, (0, 10), [2.5, 0.1], **given, **more)
        ours, theirs = abs(a.y[:, -1] - exact.y[:, -1]).max(), abs(b.y[:, -1] - exact.y[:, -1]).max()
        assert ours < 10*theirs and a.nfev < 2.5*b.nfev and len(a.t_events[0]) == len(exact.t_events[0])
    for flow in (dict(method=method), dict(flow="dopri5", rtol=1e-3)):
        few = ep.solve_ivp(rhs, (0, 10), [2.5, 0.1], args=(2,), **flow)
        many = ep.solve_ivp(rhs, (0, 10), [2.5, 0.1], args=(2,), max_step=0.05, first_step=0.01, **flow)
        assert np.diff(few.t).max() > 0.06 and np.diff(many.t).max() < 0.05*(1 + 1e-9) and abs(many.t[1] - 0.01) < 1e-12
    keywords = ep.solve_ivp(fun=rhs, t_span=(0, 10), y0=[2.5, 0.1], method=method, args=(2,), t_eval=[1, 10])
    places = ep.solve_ivp(rhs, (0, 10), [2.5, 0.1], method, [1, 10], args=(2,))
    assert (keywords.y == places.y).all() and (places.t == [1, 10]).all() and "success: True" in repr(places)
    with pytest.raises(TypeError, match="needs a system, or a function"):
        ep.solve_ivp(rhs)
    infinite = ep.solve_ivp(rhs, (0, 1), [2.5, 0.1], args=(2,), max_step=np.inf, jac=None, vectorized=False, rtol=1e-8)
    assert infinite.success


def test_what_ends_on_its_way_has_rows_up_to_there():
    with pytest.warns(ep.EpicycleWarning, match="failed on its way"):
        s = ep.solve_ivp(lambda t, y: y*y, (0, 2), [1.0], rtol=1e-3)
    assert not s.success and "singularity" in s.message
    assert s.t[-1] == pytest.approx(1, abs=1e-2) and s.y[0, 0] == 1


@pytest.mark.parametrize("act", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_solution_is_copied_and_pickled(act):
    s = ep.solve_ivp(lambda t, q: -q, (0, 3), q0=[1], v0=[0], dense_output=True, events=lambda t, y: y[0])
    c = act(s)
    assert type(c) is type(s) and (c.y == s.y).all() and (c.sol([1, 2]) == s.sol([1, 2])).all() and c.message == s.message
    assert (c.t_events[0] == s.t_events[0]).all() and c.stats == s.stats
