"""solve_ivp with an end before the start, against scipy and against closed forms."""
import ctypes

import numpy as np
import pytest
from scipy.integrate import solve_ivp as scipy_ivp

import epicycle as ep

TIGHT = dict(method="DOP853", rtol=1e-12, atol=1e-12)


def driven(t, q):
    return -np.sin(q) + 0.3*np.cos(2*t)


def resistance(t, q, v):
    return -0.1*v*(1 + 0.2*np.sin(t))


def driven_rate(t, y):
    return [y[1], -np.sin(y[0]) + 0.3*np.cos(2*t) - 0.1*y[1]*(1 + 0.2*np.sin(t))]


TIMES = np.linspace(7, -2, 19)


@pytest.mark.parametrize("given", [dict(rtol=1e-9), dict(flow="dop853", rtol=1e-10), dict(flow="rk4", step=2e-3)])
def test_forces_drag_and_time(given):
    r = scipy_ivp(driven_rate, (7, -2), [1, 0.3], t_eval=TIMES, **TIGHT)
    s = ep.solve_ivp(ep.System(driven, drag=resistance), (7, -2), q0=[1], v0=[0.3], t_eval=TIMES, **given)
    assert (s.t == TIMES).all() and abs(s.y - r.y).max() < 1e-8 and s.success and s.stats["backward"]
    y = ep.solve_ivp(driven_rate, (7, -2), [1, 0.3], t_eval=TIMES, **given)
    assert (y.t == TIMES).all() and abs(y.y - r.y).max() < 1e-8


def test_rows_are_those_of_scipy():
    s = ep.solve_ivp(driven_rate, (7, -2), [1, 0.3], method="DOP853", rtol=1e-8, atol=1e-8)
    assert s.t[0] == 7 and s.t[-1] == -2 and (np.diff(s.t) < 0).all() and s.y.shape == (2, s.t.size)
    assert (s.y[:, 0] == [1, 0.3]).all()


def test_there_and_back():
    """Verlet is reversible: it comes back to where it was, to rounding."""
    a = ep.solve_ivp(lambda t, q: -np.sin(q), (0, 20), q0=[2.5], v0=[0.1], flow="verlet", step=0.05)
    b = ep.solve_ivp(lambda t, q: -np.sin(q), (20, 0), q0=a.q[:, -1], v0=a.v[:, -1], flow="verlet", step=0.05)
    assert abs(b.y[:, ::-1] - a.y).max() < 1e-12 and abs(b.t[::-1] - a.t).max() < 1e-12
    damped = ep.System(lambda t, q: -q, drag=lambda t, q, v: -0.3*v)
    a = ep.solve_ivp(damped, (1, 5), q0=[2.5], v0=[0.1], rtol=1e-10)
    b = ep.solve_ivp(damped, (5, 1), q0=a.q[:, -1], v0=a.v[:, -1], rtol=1e-10)
    assert abs(b.y[:, -1] - [2.5, 0.1]).max() < 1e-8 and b.v[0, -1] > 0


@pytest.mark.parametrize("rate", [2.0, lambda t: 2 + 0.1*t])
def test_a_fast_phase(rate):
    """The phase has its theta0 at the start of the run, and turns back from there."""
    def theta(t):
        return 0.5 + (2*(t - 3) if rate == 2.0 else 2*(t - 3) + 0.05*(t*t - 9))
    r = scipy_ivp(lambda t, y: [y[1], -y[0] + 0.3*np.cos(theta(t))], (3, 0), [1, 0], **TIGHT)
    s = ep.solve_ivp(ep.System(forced=lambda t, a, q: -q + 0.3*np.cos(a), phase_rate=rate, theta0=0.5), (3, 0), q0=[1], v0=[0],
                     flow="dop853", rtol=1e-11)
    assert abs(s.y[:, -1] - r.y[:, -1]).max() < 1e-9


def test_a_fast_phase_that_is_averaged():
    w = 1000.0

    def forced(t, theta, q):
        return (1 + 20*np.cos(theta))*np.sin(q)
    end = 159*2*np.pi/w
    r = scipy_ivp(lambda t, y: [y[1], (1 + 20*np.cos(w*(t - end)))*np.sin(y[0])], (end, 0), [0.4, 0.1], **TIGHT)
    s = ep.solve_ivp(ep.System(forced=forced, phase_rate=w), (end, 0), q0=[0.4], v0=[0.1], rtol=1e-5, t_eval=[0.0])
    assert abs(s.y[0, -1] - r.y[0, -1]) < 1e-5


def test_first_order_variables_beside_a_force():
    """z' = q - z/2 beside q'' = -q."""
    r = scipy_ivp(lambda t, y: [y[1], -y[0], y[0]*y[1] - y[2]/2], (2, -1), [1, 0.5, 0.3], **TIGHT)
    s = ep.solve_ivp(ep.System(lambda t, q: -q, rate=lambda t, y: [y[0]*y[1] - y[2]/2]), (2, -1), q0=[1], v0=[0.5], z0=[0.3],
                     flow="dop853", rtol=1e-11)
    assert abs(s.y[:, -1] - r.y[:, -1]).max() < 1e-9
    whole = ep.System(rate=lambda t, y: [y[1], -y[0], y[0]*y[1] - y[2]/2])
    s = ep.solve_ivp(whole, (2, -1), q0=[1], v0=[0.5], z0=[0.3], flow="dop853", rtol=1e-11)
    assert abs(s.y[:, -1] - r.y[:, -1]).max() < 1e-9 and s.v.shape[0] == 1


def test_masses_and_energies():
    mass = np.array([[2, 1], [1, 2.0]])
    seen = []

    def energy(t, y):
        seen.append((t, y.copy()))
        return y[2:] @ mass @ y[2:]/2 + y[:2] @ y[:2]/2 + 0.1*y[0]*y[3]
    r = scipy_ivp(lambda t, y: np.append(y[2:], np.linalg.solve(mass, -y[:2])), (1, -3), [1, 0.2, 0.3, -1], **TIGHT)
    for given in (dict(mass=mass), dict(mass_solve=lambda q, a: np.linalg.solve(mass, a))):
        s = ep.solve_ivp(ep.System(lambda t, q: -q, energy=energy, conserved=False, **given), (1, -3), q0=[1, 0.2], v0=[0.3, -1],
                         flow="dop853", rtol=1e-11)
        assert abs(s.y[:, -1] - r.y[:, -1]).max() < 1e-9
    assert seen[0][0] == 1 and (seen[0][1] == [1, 0.2, 0.3, -1]).all() and min(t for t, _ in seen) == -3


def test_a_driven_constraint():
    """A pendulum whose length is 1 + 0.2 sin t: g = (q q - l^2)/2, dg/dt = q v - l l'. Its angle: l a'' + 2 l' a' = -sin a."""
    def length(t):
        return 1 + 0.2*np.sin(t), 0.2*np.cos(t)
    s = ep.System(lambda t, q: [0.0, -1.0], constraint=lambda t, q: [(q @ q - length(t)[0]**2)/2], jacobian=lambda t, q: [q],
                  constraint_rate=lambda t, q: [-length(t)[0]*length(t)[1]])
    a0, w0, t0 = 1.0, 0.4, 4.0
    (l, dl), e, n = length(t0), np.array([np.sin(a0), -np.cos(a0)]), np.array([np.cos(a0), np.sin(a0)])
    got = ep.solve_ivp(s, (t0, 0), q0=l*e, v0=dl*e + l*w0*n, flow="symmetric(verlet, order=6)", step=0.01)
    r = scipy_ivp(lambda t, y: [y[1], -(np.sin(y[0]) + 2*length(t)[1]*y[1])/length(t)[0]], (t0, 0), [a0, w0], **TIGHT)
    assert abs(got.q[:, -1] - [np.sin(r.y[0, -1]), -np.cos(r.y[0, -1])]).max() < 1e-7
    w, a = r.y[1, -1], r.y[0, -1]
    assert abs(got.v[:, -1] - (0.2*np.array([np.sin(a), -np.cos(a)]) + w*np.array([np.cos(a), np.sin(a)]))).max() < 1e-6


@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_events_have_the_directions_of_scipy(direction):
    def fall(t, y):
        return y[1] - 0.1
    fall.direction = direction

    def end(t, y):
        return t + 1.5
    end.terminal = True
    r = scipy_ivp(driven_rate, (7, -2), [1, 0.3], events=[fall, end], **TIGHT)
    for what, start in ((ep.System(driven, drag=resistance), dict(q0=[1], v0=[0.3])), (driven_rate, dict(y0=[1, 0.3]))):
        s = ep.solve_ivp(what, (7, -2), events=[fall, end], rtol=1e-10, **start)
        assert s.status == 1 and abs(s.t[-1] + 1.5) < 1e-9
        assert len(s.t_events[0]) == len(r.t_events[0]) > 0 and abs(s.t_events[0] - r.t_events[0]).max() < 1e-8
        assert abs(s.y_events[0] - r.y_events[0]).max() < 1e-7 and abs(s.t_events[1] + 1.5).max() < 1e-9


def test_dense_output():
    s = ep.solve_ivp(lambda t, q: -q, (3, -4), q0=[np.cos(3)], v0=[-np.sin(3)], rtol=1e-10, dense_output=True, t_eval=[2.0, 0.5, -4])
    t = np.linspace(3, -4, 333)
    assert abs(s.sol(t) - [np.cos(t), -np.sin(t)]).max() < 1e-8 and abs(s.sol(t[::-1]) - [np.cos(t[::-1]), -np.sin(t[::-1])]).max() < 1e-8
    assert s.sol.ts[0] == 3 and s.sol.ts[-1] == -4 and (np.diff(s.sol.ts) < 0).all() and (s.sol.t_min, s.sol.t_max) == (-4, 3)
    assert (s.t == [2.0, 0.5, -4]).all() and abs(s.y - s.sol(s.t)).max() == 0
    with pytest.raises(ValueError, match="from -4 to 3 alone"):
        s.sol(4)


def test_compiled_functions():
    """They have their own time too, and their data."""
    number = ctypes.POINTER(ctypes.c_double)
    force = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double, number, number)(
        lambda s, t, q, f: f.__setitem__(0, -q[0] + t) or 0)
    event = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_double, number)(lambda d, t, y: t - 0.25)
    r = scipy_ivp(lambda t, y: [y[1], -y[0] + t], (2, -1), [1, 0.5], **TIGHT)
    s = ep.solve_ivp(force, (2, -1), q0=[1], v0=[0.5], rtol=1e-10, events=event)
    assert abs(s.y[:, -1] - r.y[:, -1]).max() < 1e-9 and abs(s.t_events[0] - [0.25]).max() < 1e-12


def test_what_cannot_be():
    with pytest.raises(ep.EpicycleError, match="backward in time batch .* is not known"):
        ep.solve_ivp(ep.System(lambda t, q: -q, batch=lambda t, theta, q: -q), (1, 0), q0=[1], v0=[0])
    with pytest.raises(ValueError, match="the latest first"):
        ep.solve_ivp(lambda t, q: -q, (1, 0), q0=[1], v0=[0], t_eval=[0.2, 0.5])
    with pytest.raises(ValueError, match="beyond the span from 1 to 0"):
        ep.solve_ivp(lambda t, q: -q, (1, 0), q0=[1], v0=[0], t_eval=[0.2, -0.5])
    with pytest.raises(ep.EpicycleError, match="the end 1 is the start"):
        ep.solve_ivp(lambda t, q: -q, (1, 1), q0=[1], v0=[0])
    with pytest.warns(ep.EpicycleWarning, match=r"t = 0\.[45]"):
        s = ep.solve_ivp(lambda t, q: [np.nan if t < 0.5 else 0.0], (1, 0), q0=[1], v0=[1], flow="verlet", step=0.1)
    assert not s.success and "t = 0." in s.message and s.t[-1] > 0.4
