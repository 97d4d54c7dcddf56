"""What the tests share: the source folder, a compiler, systems with known answers."""
import ctypes
import os
import subprocess

import numpy as np
import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes seconds; left out of the tests of every day")


SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

FORCES = r"""
#include <math.h>
int pendulum(void *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -sin(q[0]); return 0; }
int scaled(void **s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -4*q[0]; return 0; }
double crossing(void *data, double t, const double *y) { (void)data; (void)t; return y[0]; }
int wrong(void *s, double t) { (void)s; (void)t; return 0; }
"""


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Functions compiled by the C compiler of the build, by ctypes."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "forces.c").write_text(FORCES)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", folder / "forces.so", folder / "forces.c", "-lm"],
                   check=True)
    return ctypes.CDLL(str(folder / "forces.so"))


class Planets:
    """The sun and four planets for 200000 days; a perihelion of the first is where its distance begins to grow."""
    G = 2.95912208286e-4
    M = np.array([1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449])
    q0 = np.array([0, 0, 0, -3.5023653, -3.8169847, -1.5507963, 9.0755314, -3.0458353, -1.6483708, 8.3101420, -16.2901086, -7.2521278,
                   11.4707666, -25.7294829, -10.8169456])
    v0 = np.array([0, 0, 0, 0.00565429, -0.00412490, -0.00190589, 0.00168318, 0.00483525, 0.00192462, 0.00354178, 0.00137102, 0.00055029,
                   0.00288930, 0.00114527, 0.00039677])
    end = 200000.0

    @classmethod
    def accelerations(cls, t, q):
        x = q.reshape(5, 3)
        d = x[:, None] - x[None]
        r2 = (d**2).sum(2) + np.eye(5)
        return -(cls.G*cls.M[None, :, None]*d/r2[:, :, None]**1.5).sum(1).ravel()

    @staticmethod
    def perihelion(t, y):
        return (y[3:6] - y[:3]) @ (y[18:21] - y[15:18])


Planets.perihelion.direction = 1


@pytest.fixture(scope="session")
def planets():
    return Planets
