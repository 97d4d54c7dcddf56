#!/usr/bin/env bash
# holds: averaged runs of the gallery agree with resolved ones to their order, at a tenth of the evaluations
# flagships.sh EPICYCLE - the machines of the gallery: averaged and resolved runs agree to the order that is claimed, at a tenth of the
# evaluations or less, and their physics is that of closed forms which are worked out here
# label: plain   label: long   cost: 45
set -u
. "$(dirname "$0")/../common/command.sh"
command -v python3 > /dev/null || exit 77

# the comparison that the gallery shows: name, run, the least ratio of evaluations, the largest difference of the positions at the end
while read -r name run ratio apart; do
  [ -f "$name.table" ] || "$e" run "$SOURCE/examples/$name.yaml" --out "$name.csv" > "$name.table" 2> err || bad "$name: $(cat err)"
  holds "$name, $run: $(grep "^  $run " "$name.table")" awk -v run="$run" -v ratio="$ratio" -v apart="$apart" \
    '$1 == run && $2 == "done" && $5 < apart && $6 >= ratio && $8 == "fewer" { found = 1 } END { exit !found }' "$name.table"
done <<'TABLE'
rope averaged 10 2e-3
rope strobed 2 1e-4
rope-10 averaged 10 1e-4
rope-10 strobed 2 1e-5
gyroscope averaged 10 1e-4
gyroscope strobed 3 1e-3
chelomei averaged 10 1e-4
chelomei strobed 3 1e-4
conveyor averaged 30 2e-3
TABLE

# the table of the page: evaluations, ratio, difference, as far as another machine would round otherwise
while IFS='|' read -r _ name resolved averaged fewer apart _; do
  name=${name#*\`}; name=${name%%.yaml*}
  holds "docs/gallery.md of $name: $resolved $averaged $fewer $apart, not $(grep -E '^  (resolved|averaged) ' "$name.table")" \
    awk -v r="$resolved" -v a="$averaged" -v f="$fewer" -v d="$apart" 'function near(x, y, by) { return x >= y/(1 + by) && x <= y*(1 + by) }
      $1 == "resolved" { n += near($3, r, 0.01) } $1 == "averaged" { n += near($3, a, 0.1) + near($6, f, 0.1) + near($5, d, 1) }
      END { exit !(n == 4) }' "$name.table"
done < <(grep '^| `.*periods\|^| `[a-z0-9-]*.yaml`, [0-9]' "$SOURCE/docs/gallery.md")
holds "docs/gallery.md has five rows" [ "$(grep -c '^| `.*`revolve`' "$SOURCE/docs/gallery.md")" = 5 ]

# what cannot be averaged is refused; slower than theory allows, the rope falls
"$e" check "$SOURCE/examples/sommerfeld.yaml" --flow 'revolve(substeps(dop853, 4))' > o 2> err
holds "no period: $(cat err)" grep -q 'revolve does not know the fast period' err
"$e" run "$SOURCE/examples/rope.yaml" u='1.2 m/s' > o 2>&1
holds "the rope falls too, by both" awk '$1 == "averaged" && $2 == "done" && $5 < 0.02 { found = 1 } END { exit !found }' o
# the drum at the end, by its phase: its attitude comes back as the other of two quaternions
sed -e 's/speed: {table: .*}}/angle: {formula: theta}}/; s/^world:/&\n  settle: yes\n  phase: {frequency: n}/; /^  up: /d; /^end:/,$d' \
  "$SOURCE/examples/drum.yaml" > spin.yaml
cat >> spin.yaml <<'YAML'
end: 20
compare: resolved
runs:
  - {name: resolved, flow: dop853, step: 2*pi/(4*n)}
  - {name: averaged, flow: "revolve(substeps(dop853, 4), rtol=1e-3)", step: 1}
  - {name: strobed, flow: "tolerance(dopri5(strobe(substeps(dop853, 4), order=2)), rtol=1e-3)", step: 1}
YAML
"$e" run spin.yaml > o 2> err
holds "the drum spins: $(tail -n 3 o) $(tail -n 1 err)" \
  awk '$1 == "averaged" && $5 < 2e-3 && $6 < 2 { n++ } $1 == "strobed" && $5 < 1e-3 { n++ } END { exit !(n == 2) }' o
# ten times as many periods cost the same
sed '/name: resolved/d; /name: strobed/d; /^compare/d' "$SOURCE/examples/gyroscope.yaml" > once.yaml
"$e" run once.yaml f='100 kHz' > o 2> err
holds "the gyroscope at 100 kHz: $(grep ^done o) $(cat err)" awk '/^done at/ && $5 < 18000 { n++ } END { exit !n }' o

cat > machines.py <<'PYTHON'
import csv, math, os, re, subprocess, sys
command, source = sys.argv[1], sys.argv[2]
failed = count = 0

def holds(what, true):
    global failed, count
    count += 1
    if not true:
        failed += 1
        print("flagships: " + what)

def rows(path):
    with open(path) as f: return [{k: float(v) for k, v in row.items() if v} for row in csv.DictReader(f)]

# a machine of the gallery or another text, by a flow of ours: its last row
def last(text, flow, step, end, *given):
    cut = min(text.find(word) for word in ("\nend:", "\ncompare:", "\nruns:") if text.find(word) > 0)
    with open("mine.yaml", "w") as f: f.write(text[:cut] + "\nend: %.17g\nflow: \"%s\"\nstep: %s\n" % (end, flow, step))
    words = [command, "run", "mine.yaml", *given, "--out", "mine.csv", "--every", repr(end), "--quiet"]
    done = subprocess.run(words, stderr=subprocess.PIPE)
    if done.returncode: sys.exit(done.stderr.decode())
    return rows("mine.csv")[-1]

def example(name): return open(os.path.join(source, "examples", name + ".yaml")).read()

# positions and attitudes, which may have either sign
def apart(a, b):
    most = 0
    for k in a:
        if re.search(r"\.[xyz]$", k): most = max(most, abs(a[k] - b[k]))
        if re.search(r"\.q0$", k):
            q = [k[:-1] + i for i in "0123"]
            sign = 1 if sum(a[i]*b[i] for i in q) > 0 else -1
            most = max([most] + [abs(a[i] - sign*b[i]) for i in q])
    return most

# ---- the order of strobe in the period, while the speed of the foot stays: 2 ----
for name, f, end in (("rope", (4e3, 8e3), 0.05), ("gyroscope", (2e3, 4e3), 0.05), ("chelomei", (1e3, 2e3), 0.1)):
    e = []
    for x in f:
        # the washer is held by f b, the others do not bend
        given = ["f=%g Hz" % x] + ["b=%g mm" % (640/x)]*(name == "chelomei")
        a = last(example(name), "dop853", "2*pi/(6*f)", end, *given)
        b = last(example(name), "tolerance(dop853(strobe(substeps(dop853, 6), order=2)), rtol=1e-8, atol=1e-9)", repr(end), end, *given)
        e.append(apart(a, b))
    order = math.log2(e[0]/e[1])
    print("%s: strobe(order=2) is off by %.2g and %.2g, order %.2f" % (name, e[0], e[1], order))
    holds("%s: order %.2f of strobe" % (name, order), 1.7 < order < 2.4)

# ---- the rope: where it stands. A chain that hangs has modes w; upside down mode w stands where u > sqrt(2) g/w. Small angles phi of
# uniform links: M phi'' + K phi = 0 with M_ij = m l^2 (N - max(i, j) + 1/2), 1/3 in place of 1/2 where i = j, K_ii = m g l (N - i + 1/2)
def slowest(N, l, g=9.81):
    phi, links = [1.0]*N, range(1, N + 1)
    for _ in range(400):
        y = [sum((N - max(i, j) + (1/3 if i == j else 1/2))*phi[j - 1] for j in links)*l/(g*(N - i + 1/2)) for i in links]
        size = max(map(abs, y))
        phi = [x/size for x in y]
    return math.sqrt(1/size), phi

def chain(N, l, u, f, phi):
    a = u/(2*math.pi*f)
    body, joint, x, z = "", "", 0.0, a
    for i in range(N):
        s, c = l*math.sin(phi[i]), l*math.cos(phi[i])
        body += "    - {name: link%d, mass: 10 g, inertia: [%.17g, %.17g, 1e-8], at: [%.17g, 0, %.17g],\n" % (
            i + 1, 0.01*l*l/12, 0.01*l*l/12, x + s/2, z + c/2)
        body += "       rotate: {axis: y, angle: %.17g}}\n" % phi[i]
        joint += "    - {a: link%d, %s hold: hinge, at: [%.17g, 0, %.17g], axis: y%s}\n" % (
            i + 1, "b: link%d," % i if i else "", x, z,
            "" if i else ", motion: {along: z, amplitude: %.17g, frequency: %.17g Hz, phase: 90 deg}" % (a, f))
        x, z = x + s, z + c
    return "world:\n  gravity: 9.81\n  bodies:\n" + body + "  joints:\n" + joint + "\nend: 1\n"

for N, f, t in ((1, 50e3, 0.3), (3, 100e3, 0.3), (10, 400e3, 0.3)):
    l, g = 0.04, 9.81
    w, phi = slowest(N, l)
    least, rates = math.sqrt(2)*g/w, []
    for by in (0.97, 1.03):
        angle = [0.01*x for x in phi]
        y = last(chain(N, l, by*least, f, angle), "revolve(substeps(dop853, 4), rtol=3e-6)", "%g" % t, t)
        now = 2*math.atan2(y["link%d.q2" % N], y["link%d.q0" % N])/angle[-1]
        rates.append((math.acos(now) if now < 1 else math.acosh(now))**2/t**2*(1 if now < 1 else -1))
    found = least*(0.97 + 0.06*rates[0]/(rates[0] - rates[1]))
    print("rope of %d: stands from %.4f m/s on, by theory %.4f" % (N, found, least))
    holds("rope of %d: found %.4f m/s, not %.4f" % (N, found, least), abs(found/least - 1) < 0.005 and rates[0] < 0 < rates[1])
    # its slow motion: w^2 ((u/least)^2 - 1)
    for by, rate in zip((0.97, 1.03), rates): holds("rope of %d: rate %g" % (N, rate), abs(rate/(w*w*(by*by - 1)) - 1) < 0.1)
# and the fastest mode W stands where a < 0.45 g/W^2: beyond that it is stirred at half the frequency, which is not slow: resolved
def fastest(N, l, g=9.81):
    phi = [(-1.0)**i for i in range(N)]
    for _ in range(400):
        A = [[N - max(i, j) + (1/3 if i == j else 1/2) for j in range(1, N + 1)] + [(N - i + 1/2)*phi[i - 1]] for i in range(1, N + 1)]
        for k in range(N):                                       # Gauss: M y = K phi, M is positive definite
            for i in range(N):
                if i != k: A[i] = [x - A[i][k]/A[k][k]*z for x, z in zip(A[i], A[k])]
        y = [A[i][N]/A[i][i] for i in range(N)]
        size = max(map(abs, y))
        phi = [x/size for x in y]
    return math.sqrt(size*g/l), phi

W, phi = fastest(3, 0.04)
grown = []
for by in (0.93, 1.07):
    u, a, angle = 3.0, by*0.45*9.81/W**2, [1e-3*x for x in phi]
    f = u/(2*math.pi*a)
    y = [last(chain(3, 0.04, u, f, angle), "dop853", "%.17g" % (1/(20*f)), n/f) for n in (40, 41)]
    grown.append(max(abs(2*math.atan2(x["link%d.q2" % i], x["link%d.q0" % i])/angle[i - 1]) for x in y for i in (1, 2, 3)))
print("rope of 3: the fastest mode grows %.2g and %.2g times in 40 periods, 7 %% below and above a = 0.45 g/W^2" % tuple(grown))
holds("rope of 3: the fastest mode: %s" % grown, grown[0] < 3 and grown[1] > 20)
holds("the figure in rope.yaml", "%.3f m/s" % (math.sqrt(2)*9.81/slowest(3, 0.04)[0]) in example("rope"))
holds("the figure in rope-10.yaml", "%.3f m/s" % (math.sqrt(2)*9.81/slowest(10, 0.04)[0]) in example("rope-10"))

# ---- the gyroscope: I cos(q) p^2 - I3 n p + m g l - (m l u)^2 cos(q)/(2 I) = 0 is where it precesses at the tilt it starts with; and
# without vibration it goes the other way
m, l, I3, n, q, u = 0.2, 0.05, 3e-4, 150, math.radians(30), 1.8
I, c = 2e-4 + m*l*l, math.cos(math.radians(30))
def precession(u): return (I3*n - math.sqrt((I3*n)**2 - 4*I*c*(m*9.81*l - (m*l*u)**2*c/(2*I))))/(2*I*c)
for run in ("resolved", "averaged", "strobed"):
    y = rows("gyroscope-%s.csv" % run)
    turned = math.atan2(y[-1]["top.y"], y[-1]["top.x"])/y[-1]["t"]
    tilt = [math.degrees(math.asin(math.hypot(r["top.x"], r["top.y"])/l)) for r in y]
    print("gyroscope, %s: precesses with %.4f rad/s, by theory %.4f, without vibration %.4f" % (run, turned, precession(u), precession(0)))
    holds("%s: %g rad/s" % (run, turned), abs(turned/precession(u) - 1) < 1e-3 and precession(0) > 2)
    holds("%s: the tilt stays: %g to %g" % (run, min(tilt), max(tilt)), 29.95 < min(tilt) and max(tilt) < 30.05)

# ---- Chelomei: the washer floats where (2 pi f b)^2 pi/(4 L) sin(2 pi s/L) = g, above the quarter of the rod; without the wave it falls
L, b = 0.4, 0.32e-3
s = L/(2*math.pi)*(math.pi - math.asin(9.81/((2*math.pi*2000*b)**2*math.pi/(4*L))))
def floats(y): return math.hypot(y["washer.x"], y["washer.z"])
for flow, step in (("revolve(substeps(dop853, 4), rtol=1e-4)", "0.05"),):
    y = last(example("chelomei"), flow, step, 2)
    tilt = math.atan2(y["rod.x"], y["rod.z"])
    print("chelomei: the washer floats at %.4f m, by theory %.4f; the rod is %.3f rad from upright" % (floats(y), s, tilt))
    holds("chelomei floats at %g, not %g" % (floats(y), s), abs(floats(y) - s) < 2e-3 and abs(tilt) < 0.12)
    y = last(example("chelomei"), flow, step, 0.2, "b=0.1 mm")
    holds("chelomei falls without the wave: %g" % floats(y), floats(y) < 0.15)

# ---- the conveyor: the mean force at the speed V is mu m (2/pi) (-g asin(V/U) + B w^2 sqrt(1 - V^2/U^2)), and zero at the speed it
# comes to; with friction that is tanh(v/vs) the same is a mean over a turn, and x its integral
w = 2*math.pi*100
U, K, mu, vs = 1e-3*w, 15e-6*w*w, 0.01, 0.03
def mean(V, slip):
    N, sum = 2000, 0
    for k in range(N):
        x = 2*math.pi*(k + 0.5)/N
        sum -= mu*(9.81 + K*math.cos(x))*slip(V - U*math.cos(x))
    return sum/N
def steady(slip):
    low, high = 0, U
    for _ in range(40): low, high = ((low + high)/2, high) if mean((low + high)/2, slip) > 0 else (low, (low + high)/2)
    return low
closed = [0, U]
for _ in range(60):
    V = sum(closed)/2
    closed[-9.81*math.asin(V/U) + K*math.sqrt(1 - V*V/U/U) < 0] = V
x = v = 0
for _ in range(300):
    for part in range(2):                                       # midpoint steps of 0.1 s
        a = mean(v if not part else v + 0.05*a, lambda y: math.tanh(y/vs))
    x, v = x + 0.1*(v + 0.05*a), v + 0.1*a
for run in ("resolved", "averaged"):
    y = rows("conveyor-%s.csv" % run)[-1]
    print("conveyor, %s: %.4f m in 30 s, by the mean force %.4f" % (run, y["part.x"], x))
    holds("conveyor, %s: %g, not %g" % (run, y["part.x"], x), abs(y["part.x"] - x) < 1e-3*x)
fast = last(example("conveyor"), "revolve(substeps(dop853, 48), rtol=1e-5)", "10", 100)["part.vx"]
smooth = steady(lambda y: math.tanh(y/vs))
print("conveyor: comes to %.4f m/s, by the mean of its friction %.4f, of dry friction %.4f" % (fast, smooth, closed[0]))
holds("conveyor: %g, not %g nor %g" % (fast, smooth, closed[0]), abs(fast/smooth - 1) < 1e-3 and abs(fast/closed[0] - 1) < 5e-3)

# ---- the motor: caught where its torque is what the mount takes, c W X^2/2, below the resonance; the stronger one comes to its speed
M, m, e, k, c, n = 9, 1, 0.015, 36e3, 30, 150
def takes(W): return c*W*(m*e*W*W)**2/((k - (M + m)*W*W)**2 + (c*W)**2)/2
def balance(T, low, high):
    for _ in range(60): low, high = ((low + high)/2, high) if T*(1 - (low + high)/2/n) > takes((low + high)/2) else (low, (low + high)/2)
    return low
text = example("sommerfeld")
done = subprocess.run([command, "run", os.path.join(source, "examples", "sommerfeld.yaml"), "--out", "motor.csv", "--quiet"])
holds("the motors run", done.returncode == 0)
speed = {run: [r["rotor.w3"] for r in rows("motor-%s.csv" % run)] for run in ("caught", "passes")}
mean_of = {run: sum(y[-300:])/300 for run, y in speed.items()}
caught, passes = balance(0.4, 40, 60), balance(0.8, 100, 150)
for run, theory in (("caught", caught), ("passes", passes)):
    print("motor: %s at %.2f rad/s, by theory %.2f" % (run, mean_of[run], theory))
    holds("the motor that is %s: %g, not %g" % (run, mean_of[run], theory), abs(mean_of[run]/theory - 1) < 0.002)
holds("the weak motor never passes", max(speed["caught"]) < 65)

# ---- the drum: far above its resonance the tub circles by m e/(M + m); on the way it swings by more than twice that
done = subprocess.run([command, "run", os.path.join(source, "examples", "drum.yaml"), "--out", "drum.csv", "--quiet"])
holds("the drum runs", done.returncode == 0)
y = rows("drum.csv")
def swing(a, b):
    part = [r for r in y if a <= r["t"] <= b]
    return [(max(r[k] for r in part) - min(r[k] for r in part))/2 for k in ("tub.x", "tub.z")]
circle = 10*0.02/(40 + 10)
print("drum: swings by %.4f and %.4f m at its resonance" % tuple(swing(1.5, 3.5)))
print("drum: circles by %.4f and %.4f m when it spins, by theory %.4f" % (*swing(14, 16), circle))
holds("the resonance", min(swing(1.5, 3.5)) > 2*circle)
holds("the spin", all(abs(s/circle - 1) < 0.08 for s in swing(14, 16)))
holds("it turns with 1200 rpm", abs(math.hypot(y[-1]["drum.w1"], y[-1]["drum.w2"], y[-1]["drum.w3"])/(40*math.pi) - 1) < 0.01)
# ---- the screen: its rotors are together where M d^2 > 2 J and opposed where it is less, of masses and moments less what the springs hold
text = example("screen").split("runs:")[0]
M, m, e, d, k, J = 100, 5, 0.04, 0.6, 25e3, 12
def turned(J, end):
    open("screen.yaml", "w").write(text)
    done = subprocess.run([command, "run", "screen.yaml", "J=%g" % J, "--end", str(end), "--out", "screen.csv", "--quiet"])
    holds("the screen runs", done.returncode == 0)
    y = rows("screen.csv")
    return y, 120 + math.degrees(y[-1]["shaft2.angle"] - y[-1]["shaft1.angle"])
W = turned(17, 10)[0][-1]["left.w3"]
mass = 2/(1/(M + 2*m - k/W**2) + 1/(M + 2*m - 2*k/W**2))
border = mass*d*d/2 - 2*m*d*d + (2*k*0.7**2)/W**2
print("screen: the border is at %.2f kg m^2" % border)
holds("the border: %g" % border, abs(border/17 - 1) < 0.01)
for part, want in ((0.97, 0), (1.03, 180)):
    y, angle = turned(part*border, 20)
    print("screen: with %.2f of it the rotors are %.2f deg apart" % (part, angle))
    holds("the rotors at %g: %g, not %g" % (part, angle, want), abs(angle - want) < 1)
y, angle = turned(12, 8)
W = y[-1]["left.w3"]
def swing(name): return (max(r[name] for r in y[-200:]) - min(r[name] for r in y[-200:]))/2
circle = 2*m*e/(M + 2*m - k/W**2)
holds("the screen, together: %g, not %g" % (swing("screen.x"), circle), abs(swing("screen.x")/circle - 1) < 0.02 and abs(angle) < 0.1)
# the shafts carry m e W^2 and what the screen adds, which is moved the other way
force = max(math.hypot(r["shaft1.fx"], r["shaft1.fz"]) for r in y[-200:])
holds("the force of a shaft: %g" % force, abs(force/(m*(e - circle)*W**2) - 1) < 0.02)
y, angle = turned(40, 8)
W = y[-1]["left.w3"]
rocks = 2*m*e*d/(40 + 2*m*d*d - 2*k*0.7**2/W**2)
holds("the screen, opposed: %g, not %g" % (swing("plane.angle"), rocks),
      abs(swing("plane.angle")/rocks - 1) < 0.02 and abs(angle - 180) < 0.1)
print("%d checks, %d failed" % (count, failed))
sys.exit(failed > 0)
PYTHON
python3 machines.py "$e" "$SOURCE" > told 2>&1; code=$?
cat told
holds "the machines against theory" test $code -eq 0
counted
