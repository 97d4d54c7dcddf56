"""Robots in URDF against an independent computation: frames by matrices, motion by Newton and Euler link after link, and scipy."""
import os
import subprocess
import warnings
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import epicycle as ep

GRAVITY = np.array([0, 0, -9.81])


def three(x, name, default="0 0 0"):
    return np.array([float(n) for n in (x.get(name, default) if x is not None else default).split()])


def turn(axis, angle):
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle)*k + (1 - np.cos(angle))*k @ k


def rpy(x):
    r, p, y = three(x, "rpy")
    return turn([0, 0, 1], y) @ turn([0, 1, 0], p) @ turn([1, 0, 0], r)


class Robot:
    """A chain or a tree of revolute, continuous and prismatic joints, its root on the ground."""

    def __init__(self, text):
        root = ElementTree.fromstring(text)
        self.links = {x.get("name"): x for x in root.findall("link")}
        left, known, self.joints = root.findall("joint"), {x.get("name") for x in root.findall("link")}, []
        known -= {j.find("child").get("link") for j in left}
        while left:
            for j in list(left):
                if j.find("parent").get("link") in known:
                    self.joints.append(j)
                    known.add(j.find("child").get("link"))
                    left.remove(j)
        self.root = root
        self.free = [j for j in self.joints if j.get("type") != "fixed"]
        self.names = [j.get("name") for j in self.free]

    def frames(self, q):
        """Places and axes of every link, and of every joint its axis in space."""
        at = {name: (np.zeros(3), np.eye(3)) for name in self.links}
        axes = {}
        for j in self.joints:
            p, R = at[j.find("parent").get("link")]
            p, R = p + R @ three(j.find("origin"), "xyz"), R @ rpy(j.find("origin"))
            a = three(j.find("axis"), "xyz", "1 0 0")
            a = a/np.linalg.norm(a)
            if j.get("type") == "prismatic":
                p = p + R @ a*q[self.names.index(j.get("name"))]
            elif j.get("type") != "fixed":
                R = R @ turn(a, q[self.names.index(j.get("name"))])
            axes[j.get("name")] = R @ a
            at[j.find("child").get("link")] = p, R
        return at, axes

    def masses(self, name, at):
        """Mass, centre and inertia of a link in space."""
        x = self.links[name].find("inertial")
        if x is None:
            return 0.0, at[name][0], np.zeros((3, 3))
        p, R = at[name]
        i = {k: float(x.find("inertia").get(k)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
        tensor = np.array([[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]])
        A = R @ rpy(x.find("origin"))
        return float(x.find("mass").get("value")), p + R @ three(x.find("origin"), "xyz"), A @ tensor @ A.T

    def forces(self, q, v, a, gravity=GRAVITY):
        """What the joints need for the accelerations a: outward with motions, inward with forces."""
        at, axes = self.frames(q)
        move = {name: (np.zeros(3),)*3 for name in self.links}                     # angular velocity, angular and linear acceleration
        for j in self.joints:
            parent, child = j.find("parent").get("link"), j.find("child").get("link")
            w, dw, dv = move[parent]
            d = at[child][0] - at[parent][0]
            dv = dv + np.cross(dw, d) + np.cross(w, np.cross(w, d))
            if j.get("type") == "prismatic":
                k = self.names.index(j.get("name"))
                e = axes[j.get("name")]
                dv = dv + a[k]*e + 2*v[k]*np.cross(w, e)
            elif j.get("type") != "fixed":
                k = self.names.index(j.get("name"))
                e = axes[j.get("name")]
                dw = dw + a[k]*e + np.cross(w, v[k]*e)
                w = w + v[k]*e
            move[child] = w, dw, dv
        force, moment, out = {n: np.zeros(3) for n in self.links}, {n: np.zeros(3) for n in self.links}, np.zeros(len(self.free))
        for name in self.links:
            m, c, I = self.masses(name, at)
            w, dw, dv = move[name]
            r = c - at[name][0]
            f = m*(dv + np.cross(dw, r) + np.cross(w, np.cross(w, r)) - gravity)
            force[name] += f
            moment[name] += I @ dw + np.cross(w, I @ w) + np.cross(r, f)
        for j in reversed(self.joints):
            parent, child, e = j.find("parent").get("link"), j.find("child").get("link"), axes[j.get("name")]
            if j.get("type") != "fixed":
                out[self.names.index(j.get("name"))] = e @ (force[child] if j.get("type") == "prismatic" else moment[child])
            force[parent] += force[child]
            moment[parent] += moment[child] + np.cross(at[child][0] - at[parent][0], force[child])
        return out

    def rate(self, t, y):
        n = len(self.free)
        q, v = y[:n], y[n:]
        mass = np.array([self.forces(q, 0*v, e, 0*GRAVITY) for e in np.eye(n)])
        damping = np.array([float(j.find("dynamics").get("damping", 0)) if j.find("dynamics") is not None else 0 for j in self.free])
        return np.append(v, np.linalg.solve(mass, -self.forces(q, v, 0*v) - damping*v))

    def energy(self, q, v):
        n = len(self.free)
        mass = np.array([self.forces(q, 0*v, e, 0*GRAVITY) for e in np.eye(n)])
        at, _ = self.frames(q)
        return v @ mass @ v/2 - sum(m*GRAVITY @ c for m, c, _ in (self.masses(name, at) for name in self.links))


def loaded(tmp_path, text, **given):
    path = tmp_path/"robot.urdf"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ep.EpicycleWarning)
        return ep.load(path, **given)


LINK = """<link name="{name}"><inertial><origin xyz="{at}" rpy="{rpy}"/><mass value="{mass}"/>
  <inertia ixx="{I[0]}" ixy="{I[1]}" ixz="{I[2]}" iyy="{I[3]}" iyz="{I[4]}" izz="{I[5]}"/></inertial></link>"""
JOINT = """<joint name="{name}" type="{type}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{at}" rpy="{rpy}"/>
  <axis xyz="{axis}"/>{more}</joint>"""

DOUBLE = ("<?xml version='1.0'?><robot name='double'><link name='world'/>"
          + LINK.format(name="upper", at="0 0 -0.5", rpy="0 0 0", mass=1.0, I=(1/12, 0, 0, 1/12, 0, 1e-3))
          + LINK.format(name="lower", at="0 0 -0.5", rpy="0 0 0", mass=1.0, I=(1/12, 0, 0, 1/12, 0, 1e-3))
          + JOINT.format(name="shoulder", type="continuous", parent="world", child="upper", at="0 0 0", rpy="0 0 0", axis="0 1 0", more="")
          + JOINT.format(name="elbow", type="continuous", parent="upper", child="lower", at="0 0 -1", rpy="0 0 0", axis="0 1 0", more="")
          + "</robot>")


def test_a_double_pendulum_has_its_closed_equations(tmp_path):
    """Two rods of length and mass 1: angles a, b from below; with d = b - a the mass is [4/3, cos d/2; cos d/2, 1/3]."""
    def rate(t, y):
        a, b, u, w = y
        d = b - a
        M = [[4/3, np.cos(d)/2], [np.cos(d)/2, 1/3]]
        return np.append([u, w], np.linalg.solve(M, [w*w*np.sin(d)/2 - 1.5*9.81*np.sin(a), -u*u*np.sin(d)/2 - 0.5*9.81*np.sin(b)]))
    r = loaded(tmp_path, DOUBLE, shoulder=0.7, elbow="20 deg").run(end=2, rtol=1e-8, every=0.5)
    e = solve_ivp(rate, (0, 2), [0.7, 0.7 + np.pi/9, 0, 0], method="DOP853", rtol=1e-12, atol=1e-12, t_eval=r.t).y
    # a turn about y takes what hangs down to -x
    assert abs(r["upper.x"] + np.sin(e[0])/2).max() < 1e-7 and abs(r["upper.z"] + np.cos(e[0])/2).max() < 1e-7
    assert abs(r["lower.x"] + np.sin(e[0]) + np.sin(e[1])/2).max() < 1e-7 and abs(r["upper.y"]).max() < 1e-12
    assert np.ptp(r["energy"]) < 1e-7


def arm(rng, dynamics=True):
    """Six links with axes, origins and inertias of all directions; the second last slides, and a tool is fixed to the last."""
    text, parent = "<robot name='arm'><link name='base'/>", "base"
    for i in range(6):
        n = rng.normal(size=(4, 3))
        points = rng.normal(size=(8, 3))*0.1                     # of eight points of a mass of 1/8 each, so that it is that of a body
        points -= points.mean(axis=0)
        I = sum((p @ p)*np.eye(3) - np.outer(p, p) for p in points)/8
        words = [" ".join(f"{x:.6f}" for x in row) for row in (0.2*n[0], n[1], 0.3*n[2], n[3])]
        text += LINK.format(name=f"l{i}", at=words[0], rpy=words[1], mass=1.0, I=[f"{x:.9f}" for x in I[np.triu_indices(3)]])
        more = "<dynamics damping='0.2'/>" if dynamics and i % 2 else ""
        kind = "prismatic" if i == 4 else "revolute" if i == 1 else "continuous"
        more += "<limit lower='-3' upper='3' effort='1' velocity='1'/>" if kind != "continuous" else ""
        axis = " ".join(f"{x:.6f}" for x in rng.normal(size=3))
        text += JOINT.format(name=f"j{i}", type=kind, parent=parent, child=f"l{i}", at=words[2], rpy=words[3], axis=axis, more=more)
        parent = f"l{i}"
    text += LINK.format(name="tool", at="0.1 0 0", rpy="0 0.4 0", mass=0.3, I=("0.002", "0.0001", "0", "0.003", "0", "0.002"))
    text += JOINT.format(name="grip", type="fixed", parent="l5", child="tool", at="0 0.1 0.2", rpy="0.3 -0.2 1", axis="1 0 0", more="")
    return text + "</robot>"


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
def test_an_arm_of_six_links(tmp_path, seed):
    text = arm(np.random.default_rng(seed))
    robot, q = Robot(text), np.random.default_rng(seed + 10).uniform(-1, 1, 6)
    file = loaded(tmp_path, text, **dict(zip(robot.names, q)))
    r = file.run(end=0.3, rtol=1e-8, every=0.1)

    def centres(q):
        at, _ = robot.frames(q)
        found = {}
        for name in robot.links:
            m, c, _ = robot.masses(name, at)
            body = "l5" if name == "tool" else name
            before = found.get(body, (0.0, np.zeros(3)))
            found[body] = before[0] + m, before[1] + m*c
        return {k: x/m for k, (m, x) in found.items() if m}
    for name, c in centres(q).items():
        assert abs(np.array([r[f"{name}.{x}"][0] for x in "xyz"]) - c).max() < 1e-12
    e = solve_ivp(robot.rate, (0, 0.3), np.append(q, np.zeros(6)), method="DOP853", rtol=1e-11, atol=1e-11, t_eval=r.t).y
    for k, t in enumerate(r.t):
        for name, c in centres(e[:6, k]).items():
            assert abs(np.array([r[f"{name}.{x}"][k] for x in "xyz"]) - c).max() < 1e-6
    assert abs(r["j1.angle"] - e[1]).max() < 1e-6 and abs(r["j4.position"] - e[4]).max() < 1e-6
    assert abs(r["energy"][0] - robot.energy(q, np.zeros(6))) < 1e-9
    assert any("'tool' is fixed to 'l5'" in n for n in file.notes) and any("effort of <limit>" in n for n in file.notes)


def test_the_frames_of_an_imported_body(tmp_path):
    """The inertia of the body, from its principal moments and its attitude, is that of the link in space."""
    text = arm(np.random.default_rng(7))
    robot = Robot(text)
    q = np.linspace(-0.5, 0.6, 6)
    import yaml
    tree = yaml.safe_load(loaded(tmp_path, text, **dict(zip(robot.names, q))).yaml())
    at, _ = robot.frames(q)
    for body in tree["world"]["bodies"]:
        parts = [robot.masses(n, at) for n in ([body["name"], "tool"] if body["name"] == "l5" else [body["name"]])]
        mass, centre = sum(m for m, _, _ in parts), sum(m*c for m, c, _ in parts)/sum(m for m, _, _ in parts)
        exact = sum(I + m*(((c - centre) @ (c - centre))*np.eye(3) - np.outer(c - centre, c - centre)) for m, c, I in parts)
        a, b, c, d = body.get("attitude", [1, 0, 0, 0])
        R = np.array([[1 - 2*(c*c + d*d), 2*(b*c - a*d), 2*(b*d + a*c)], [2*(b*c + a*d), 1 - 2*(b*b + d*d), 2*(c*d - a*b)],
                      [2*(b*d - a*c), 2*(c*d + a*b), 1 - 2*(b*b + c*c)]])
        assert abs(R @ np.diag(body["inertia"]) @ R.T - exact).max() < 1e-12 and abs(np.array(body["at"]) - centre).max() < 1e-12
        assert abs(body["mass"] - mass) < 1e-15


def test_friction_and_limits(tmp_path):
    """A wheel that is braked by 0.2 N m comes to rest after w I/M; a slider between stops turns round there."""
    wheel = ("<robot name='r'><link name='base'/>" + LINK.format(name="wheel", at="0 0 0", rpy="0 0 0", mass=1, I=(0.1, 0, 0, 0.1, 0, 0.1))
             + JOINT.format(name="axle", type="continuous", parent="base", child="wheel", at="0 0 0", rpy="0 0 0", axis="0 0 1",
                            more="<dynamics friction='0.2'/>") + "</robot>")
    text = loaded(tmp_path, wheel).yaml().replace("mass: 1", "mass: 1, spin: [0, 0, 1]")
    path = tmp_path/"wheel.yaml"
    path.write_text(text)
    r = ep.load(path).run(end=1, flow="tolerance(dop853, rtol=1e-9)", every=0.05)
    slow = 0.2/0.1
    before = r.t < 0.45
    assert abs(r["wheel.w3"][before] - (1 - slow*r.t[before])).max() < 2e-3 and abs(r["wheel.w3"][-1]) < 1e-3
    drop = ("<robot name='r'><link name='base'/>" + LINK.format(name="mass", at="0 0 0", rpy="0 0 0", mass=2, I=(0.1, 0, 0, 0.1, 0, 0.1))
            + JOINT.format(name="lift", type="prismatic", parent="base", child="mass", at="0 0 1", rpy="0 0 0", axis="0 0 -1",
                           more="<limit lower='-0.5' upper='0.2' effort='1' velocity='1'/>") + "</robot>")
    file = loaded(tmp_path, drop, lift=0.1)
    r = file.run(end=0.5, rtol=1e-7, every=0.0005)
    free = np.sqrt(2*0.1/9.81)
    fall = r.t < free
    assert abs(r["lift.position"][fall] - 0.1 - 9.81*r.t[fall]**2/2).max() < 1e-6
    # its weight falls by h and d, and K d^2/2 takes it up
    assert "slide_stop: 20000 N/m" in file.yaml()
    weight, K, h = 2*9.81, 2e4, 0.1
    d = (weight + np.sqrt(weight**2 + 2*K*weight*h))/K
    assert abs(r["lift.position"].max() - 0.2 - d) < 1e-5
    assert np.ptp(r["energy"]) < 1e-6


def test_mimic_planar_floating_and_a_free_root(tmp_path):
    """b turns three times a, and a weight hangs on a's rack: the masses are added as T says."""
    one = (0.01, 0, 0, 0.01, 0, 0.01)
    text = ("<robot name='r'><link name='base'/>"
            + "".join(LINK.format(name=n, at="0 0 0", rpy="0 0 0", mass=1, I=one) for n in ("a", "b", "c", "p", "f"))
            + JOINT.format(name="ja", type="continuous", parent="base", child="a", at="0 0 0", rpy="0 0 0", axis="0 1 0", more="")
            + JOINT.format(name="jb", type="continuous", parent="base", child="b", at="1 0 0", rpy="0 0 0", axis="0 1 0",
                           more="<mimic joint='ja' multiplier='-3' offset='0.25'/>")
            + JOINT.format(name="jc", type="prismatic", parent="base", child="c", at="2 0 0", rpy="0 0 0", axis="0 0 1",
                           more="<limit lower='-9' upper='9' effort='1' velocity='1'/><mimic joint='ja' multiplier='0.1'/>")
            + JOINT.format(name="jp", type="planar", parent="base", child="p", at="3 0 0", rpy="0 0 0", axis="0 1 0", more="")
            + JOINT.format(name="jf", type="floating", parent="base", child="f", at="4 0 0", rpy="0 0 0", axis="0 1 0", more="")
            + "</robot>")
    r = loaded(tmp_path, text, ja=0.5).run(end=0.2, rtol=1e-9, every=0.1)
    # the weight of c, 9.81 N, by 0.1 m a rad: 0.01 (1 + 9) + 1*0.1^2 is all that turns
    a = 0.5 - 0.981/(0.1 + 0.01)*r.t**2/2
    assert abs(r["ja.angle"] - a).max() < 1e-7 and abs(r["jb.angle"] - (0.25 - 3*a)).max() < 1e-6
    assert abs(r["c.z"] - 0.1*a).max() < 1e-8
    for name in "pf":
        assert abs(r[f"{name}.z"] + 9.81*r.t**2/2).max() < 1e-9
    pair = DOUBLE.replace("<link name='world'/>", LINK.format(name="trunk", at="0 0 0", rpy="0 0 0", mass=2, I=one))
    pair = pair.replace('"world"', '"trunk"')
    free = loaded(tmp_path, pair, free=True, elbow=0.5).run(end=0.3, rtol=1e-8, every=0.1)
    centre = (2*free["trunk.z"] + free["upper.z"] + free["lower.z"])/4
    assert abs(centre - centre[0] + 9.81*free.t**2/2).max() < 1e-8
    fixed = loaded(tmp_path, pair)
    assert "trunk" not in fixed.yaml().split("world:")[1] and any("stands on the ground" in n for n in fixed.notes)


def test_what_is_not_carried_over_is_said(tmp_path):
    looks = ("<visual><geometry><mesh filename='a.dae'/></geometry><material name='red'/></visual>"
             "<visual><geometry><box size='1 2 3'/></geometry></visual><collision><geometry/></collision></link>")
    more = ("<dynamics damping='0.1'/><limit effort='1' velocity='2'/><safety_controller k_velocity='1'/></joint>"
            "<transmission name='t'/><gazebo reference='upper'/>")
    text = DOUBLE.replace("</link>", looks, 1).replace("</joint>", more, 1).replace('value="1.0"', 'value="1.0" unit="kg"', 1)
    file = loaded(tmp_path, text)
    notes = "\n".join(file.notes)
    for words in ("collision of 'upper'", "visual mesh of 'upper'", "material of 'upper'", "transmission of 't'", "gazebo of 'upper'",
                  "safety_controller of 'shoulder'", "effort of <limit> of 'shoulder'", "unit of <mass> of 'upper'"):
        assert notes.count(words) == 1, words
    assert "box" in file.yaml() and file.yaml().count("not carried over") == notes.count("not carried over")
    path = tmp_path/"robot.urdf"
    with pytest.warns(ep.EpicycleWarning, match="collision"):
        ep.load(path)
    said = subprocess.run([os.environ["EPICYCLE"], "import", path], capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout == file.yaml() and all(n in said.stderr for n in file.notes)


@pytest.mark.parametrize("change, words", [
    (("</robot>", ""), "<robot> of line 1 is not closed"),
    (("<robot name='double'>", "<!DOCTYPE x><robot>"), "document type"),
    (("name='double'", "name='a&b;'"), "no entity that is known"),
    (("<link name='world'/>", "<link/>"), "<link> has no name"),
    (("<link name='world'/>", "<link name='upper'/>"), "there are two links 'upper'"),
    (('link="world"', 'link="wrld"'), "there is no link 'wrld'"),
    (('link="world"', 'link="lower"'), "hangs on"),
    (('child link="upper"', 'child link="lower"'), "child of two joints"),
    (('type="continuous"', 'type="ball"'), "has the type 'ball'"),
    (('type="continuous"', 'type="revolute"'), "has no lower and upper <limit>"),
    (('axis xyz="0 1 0"', 'axis xyz="0 0 0"'), "has no direction"),
    (('axis xyz="0 1 0"', 'axis xyz="0 1"'), "three numbers are wanted"),
    (('axis xyz="0 1 0"', 'axis xyz="0 1 nan"'), "three numbers are wanted"),
    (('mass value="1.0"', 'mass value="-1.0"'), "the mass is -1"),
    (('mass value="1.0"', 'mass value="0"'), "moves and has no mass"),
    (('ixx="0.083', 'ixx="0.983'), "that of no body"),
    (('ixx="0.083', 'ixx="-0.083'), "principal moments"),
    (("<link name='world'/>", "<xacro:macro/><link name='world'/>"), "run xacro over it first"),
    (("<link name='world'/>", "<link name='world'/><link name='other'/>"), "'other' hangs on nothing|'world' hangs on nothing"),
])
def test_what_is_wrong_is_refused(tmp_path, change, words):
    assert change[0] in DOUBLE
    with pytest.raises(ep.EpicycleError, match=words):
        loaded(tmp_path, DOUBLE.replace(*change, 1))


def test_starts_that_cannot_be(tmp_path):
    for given, words in ((dict(sholder=1), "no joint 'sholder'"), (dict(shoulder="1 m"), "shoulder"), (dict(shoulder=4), "half a turn")):
        with pytest.raises(ep.EpicycleError, match=words):
            loaded(tmp_path, DOUBLE, **given)
    limited = DOUBLE.replace('type="continuous"', 'type="revolute"', 1).replace("</joint>", "<limit lower='1' upper='2'/></joint>", 1)
    with pytest.raises(ep.EpicycleError, match="goes from 1 to 2 and would start at 0: give its start, as in shoulder=1.5"):
        loaded(tmp_path, limited)
    assert loaded(tmp_path, limited, shoulder=1.5).runs == 1
