"""golden.py - what a build answers: rows, method selections, exported names, messages, one line per request

  golden.py print BUILD [PART ...] [--sample]         the lines of one build
  golden.py compare A B [PART ...] [--sample]         the lines of A and B that differ, exact to the last bit; exit 1 if there are any
  golden.py check BUILD [rows choices] [--sample]     a build against stored.txt, as far as machines agree; exit 1 if it differs
  golden.py renew BUILD                               writes stored.txt

BUILD is a folder with the command and the shared libraries; nothing else of it is used, so that an old build can be compared with a new
one. A line is `part | request | answer`. The parts:
  rows      every model by every flow that `show` has as an example, and by FLOWS: checksums of the rows and of the statistics
  choices   every model at three tolerances, VARIED parameters, and FORCED ones: flow, error, evaluations spent and predicted, candidates
  names     the exported symbols of the libraries, and what they need
  messages  the sentences of all these requests, of tests/model-files/bad, of every flow text in tests/*refuse* on REFUSERS, of wrong
            command lines, and of wrong jobs of the library by handles
No line has a time in it. Every request is bounded by the steps it takes or by SHORTER; one that needs more than LIMIT seconds all the same
is an error (exit 2), never skipped.

stored.txt keeps what other machines must find too. Rows of models and flows that use + - * / and sqrt only (EXACT, LIBM) are kept by their
checksum; the rest by three sums over the last row of two short steps, which agree to 1e-12. Choices depend on the last bit of libm here and
there: kept are the candidate (the flow without its numbers), the error to a factor of 4 and the evaluations spent to 20 %, where a library
one unit off in the last place leaves them so; see `loose` below.
To renew it after an intended change: compare the builds before and after, explain every line that differs in the commit, then
  python3 tests/golden/golden.py renew build
"""
import concurrent.futures, ctypes, glob, hashlib, json, os, re, shutil, subprocess, sys, tempfile, threading, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
LIMIT, SHARE, STEPS = 300, 16, 60
PARTS = ('rows', 'choices', 'names', 'messages')
NEEDS_SUNDIALS = re.compile(r'\b(cvode|arkode)\b')

# as tests/foreign/bits.c has them; models whose start uses libm too are left out
EXACT = {'kepler', 'van-der-pol', 'two-oscillators', 'bounce', 'billiard', 'oscillator', 'rolling-sphere'}
LIBM = ('tolerance(', 'adams(', 'density(', 'hmm(', 'variational(', 'picard')

FLOWS = ('adams(rtol=1e-8, atol=1e-8)', 'tolerance(dop853, rtol=1e-8, atol=1e-8)', 'tolerance(herk4, rtol=1e-8, atol=1e-8)',
         'tolerance(symmetric(verlet, order=8), rtol=1e-8, atol=1e-8)', 'tolerance(radau(stages=3), rtol=1e-6, atol=1e-6)',
         'tolerance(semi(model.contacts, model.stiff), rtol=1e-5, atol=1e-5)', 'nam(model.contacts, model.stiff)',
         'revolve(picard, rtol=1e-06, span=1)', 'revolve(substeps(dop853, 8), rtol=1e-06, span=1)', 'rk4(strobe(substeps(rk4, 20), order=4))',
         'tolerance(dop853(adiabatic), rtol=1e-6, atol=1e-6)', 'tolerance(dop853(strobe(substeps(dop853, 8))), rtol=1e-4, atol=1e-4)',
         'verlet(hmm(verlet))', 'symmetric(gauss, order=6)', 'at(tolerance(dopri5))', 'dense(tolerance(dopri5))', 'density(verlet)')
REFUSERS = ('kepler', 'inverted-pendulum', 'van-der-pol', 'stiff-springs', 'rod-chain', 'rigid-body', 'billiard', 'two-oscillators')
SMALL = {'roller-bearing': ['Z=4', 'slices=3']}
# ends of the runs for which a flow is chosen, where the model's own takes too long
SHORTER = {'bearing': {'1e-3': '1e-5', '1e-5': '2e-6', '1e-6': '2e-6', '1e-9': '2e-7'},
           'roller-bearing': {'1e-3': '2e-6', '1e-5': '1e-6', '1e-6': '1e-6', '1e-9': '2e-7'},
           'double-pendulum': {'1e-9': '0.02'}, 'stack': {'1e-9': '0.02'}}
FORCED = ('inverted-pendulum w=1e7 --tol 1e-8', 'inverted-pendulum w=1e5 --tol 1e-4', 'inverted-pendulum w=30 --tol 1e-6',
          'inverted-pendulum --tol 1e-6 --every 0.01', 'van-der-pol --tol 1e-6 --end 200', 'van-der-pol --tol 1e-6 --full',
          'stiff-springs --tol 1e-4 --slow', 'stiff-springs --tol 1e-4 --full', 'stiff-springs --tol 1e-2', 'spring-chain --tol 1e-4 --slow',
          'spring-chain --tol 1e-4 --full', 'spring-pendulum --tol 1e-4 --slow', 'spring-pendulum --tol 1e-8 --full',
          'double-pendulum --tol 1e-4 --full', 'kepler e=0.99 --tol 1e-6', 'kepler e=0 --tol 1e-12', 'kepler --tol 1e-6 --end 1000',
          'pendulum --tol 1e-12', 'pendulum --tol 1e-1', 'rod-chain n=6 --tol 1e-6', 'bounce --tol 1e-11 --end 50', 'rotor --tol 1e-13')
WRONG = ('', 'run', 'run kepplr', 'run kepler e=2', 'run kepler e=', 'run kepler ee=1', 'run kepler e=1 kg', 'run kepler --flow',
         'run kepler --flow verle', 'run kepler --flow verlet(', 'run kepler --step 0', 'run kepler --step -1', 'run kepler --step 1 kg',
         'run kepler --end -1', 'run kepler --end nan', 'run kepler --every -1', 'run kepler --out a.xyz', 'run kepler --tol 0',
         'run kepler --tol 2', 'run kepler --tol 1e-30', 'run kepler --tol 1e-6 --step 0.1', 'run kepler --slow', 'run kepler --full',
         'run kepler --tol 1e-6 --flow verlet', 'run kepler --tol 1e-6 --flow adams --end 1 --quiet', 'run kepler --fast', 'run kepler --actions',
         'run kepler --multipliers', 'run kepler --events e.csv --end 1 --quiet', 'run kepler --with none.c', 'run none.yaml', 'run none.c',
         'run kepler --slow --full --tol 1e-3', 'run kepler --plot a.png', 'run kepler --report a.pdf', 'run kepler --checkpoint',
         'run inverted-pendulum --flow verlet --step 1 --end 10 --quiet', 'run stiff-springs --flow verlet --step 1 --quiet',
         'run stiff-springs --flow adams --slow', 'run stiff-springs --slow', 'run rod-chain --flow rk4', 'run rod-chain --flow adams',
         'run pendulum --flow verlet --fast', 'run inverted-pendulum --flow rk4(strobe(rk4)) --fast --end 0.1 --quiet', 'check', 'check kepplr',
         'check kepler --claims --tol 1e-6', 'check kepler --tol x', 'check kepler --flow auto', 'check kepler --format', 'show', 'show kepplr',
         'show verlet --yaml', 'list kepler', 'list all', 'sweep', 'sweep kepler', 'sweep kepler --over e', 'sweep kepler --over e=1..',
         'sweep kepler --over ee=0..1', 'sweep kepler --over e=0..0.5 --keep nothing', 'sweep kepler --over e=0..2 --samples 0', 'resume',
         'resume none', 'new', 'new 1', 'new kepler --json', 'reproduce none', 'reproduce vibrations none', 'bench none', 'emit', 'emit kepplr',
         'emit kepler --flow adams', 'import none.urdf', 'pack', 'pack none', 'none', 'help none', '--none', 'run --none', 'run kepler --none 1')
# model, what is said of a job
JOBS = [(m, pairs) for m in ('kepler', 'stiff-springs', 'rod-chain', 'inverted-pendulum') for pairs in (
    'e=2', 'none=1', 'flow=verle', 'flow=verlet(', 'flow=auto', 'flow=auto tol=1e-30', 'step=0', 'step=-1', 'end=-1', 'end=x', 'every=-1', 'tol=0',
    'tol=2', 'tol=1e-6 step=0.1', 'tol=1e-6 flow=verlet', 'tol=1e-6 flow=adams', 'tol=1e-4 end=0.2', 'motion=slow', 'motion=full tol=1e-3',
    'motion=slow tol=1e-3 flow=verlet', 'motion=none', 'fast=1', 'fast=2', 'actions=1', 'multipliers=1', 'force=x', 'step=1 kg', 'flow=rk4',
    'flow=rk4 step=10 end=100', 'flow=verlet step=10 end=100', 'flow=adams', 'flow=semi(model.contacts, model.stiff)', 'pictures=x')]


class Build:
    """One build: its command, run in a folder of each thread, and the requests that its models and methods give."""

    def __init__(self, folder, sample):
        self.folder, self.sample, self.local = os.path.abspath(folder), sample, threading.local()
        self.command = os.path.join(self.folder, 'epicycle')
        if not os.access(self.command, os.X_OK):
            stop(f'{self.command}: there is no command')
        self.scratch = tempfile.mkdtemp(prefix='epicycle-golden-')
        listed = json.loads(self.run(['list', '--json'])[1])
        self.models = {x['name']: self.show(x['name']) for x in listed['models']}
        self.methods = [x['name'] for k in listed if k != 'models' for x in listed[k]]
        self.sundials = self.run(['check', 'kepler', '--flow', 'cvode'])[0] == 0

    def close(self):
        shutil.rmtree(self.scratch)

    def run(self, words, place=''):
        if not hasattr(self.local, 'place'):
            self.local.place = tempfile.mkdtemp(dir=self.scratch)
            shutil.copytree(os.path.join(TESTS, 'model-files', 'bad'), self.local.place + '/bad')
        # the same folder name in every thread and build, so that no sentence differs by it
        env = dict(os.environ, LC_ALL='C', HOME=self.scratch, COLUMNS='100')
        try:
            it = subprocess.run([self.command, *words], cwd=self.local.place, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            stop(f'epicycle {" ".join(words)}: more than {LIMIT} s: put it into SHORTER')
        return it.returncode, it.stdout.decode(errors='replace'), it.stderr.decode(errors='replace').replace(self.local.place, '.')

    def show(self, name):
        return json.loads(self.run(['show', name, '--json'])[1])

    def few(self, keys):
        return [k for k in keys if not self.sample or zlib.crc32(str(k).encode()) % SHARE == 0]

    # ---- requests ----
    def flows(self):
        found = []
        for name in self.methods:
            text = self.show(name).get('example', '')
            at = re.search(r"--flow '?([^']+?)'?(?: --|$)", text)
            found.append(at.group(1) if at else name)
        return list(dict.fromkeys([name for name in self.methods if name not in ('rk', 'compose')] + found + list(FLOWS)))

    def moves(self):
        return self.few([(m, f) for m in self.models for f in [self.models[m]['flow']] + self.flows()])

    def selections(self):
        keys = [(m, [], tol, []) for m in self.models for tol in ('1e-3', '1e-6', '1e-9')]
        for i, m in enumerate(self.models):
            numbers = [p for p in self.models[m]['parameters'] if isinstance(p.get('default'), (int, float)) and p['default']]
            for k in range(min(2, len(numbers))):
                p = numbers[(i + k*3) % len(numbers)]
                value = p['default'] + 1 if isinstance(p['default'], int) and p['unit'] in ('', None) else p['default']*(1.25 if k else 0.8)
                keys.append((m, [f'{p["name"]}={value!r}'], '1e-5', []))
        for text in FORCED:
            model, *words = text.split()
            at = words.index('--tol')
            keys.append((model, words[:at], words[at + 1], words[at + 2:]))
        return self.few(keys)

    # ---- answers: numbers without words, words without numbers ----
    def moved(self, model, flow, short=False):
        m = self.models[model]
        step = m['step']/100 if short else m['step']
        count = 2 if short else 6 if 'bearing' in model else STEPS
        code, out, err = self.run(['run', model, *SMALL.get(model, []), '--flow', flow, '--step', repr(step), '--end', repr(step*count),
                                   '--every', '0', '--force', '--json', '--out', 'rows.csv'])
        path = self.local.place + '/rows.csv'
        rows = open(path).read() if os.path.exists(path) else ''
        if rows:
            os.remove(path)
        stats = json.loads(out) if out.startswith('{') else {}
        return code, rows, stats, err

    def rows(self, key):
        code, rows, stats, err = self.moved(*key)
        said = ' / '.join([w for w in stats.pop('warnings', []) if w not in err] + err.splitlines())
        numbers = {k: v for k, v in stats.items() if k not in ('wall_s', 'epicycle', 'out', 'error', 'choice')}
        yield 'rows', key, f'{code} rows {stats.get("rows")} calls {stats.get("calls")} csv {digest(rows)} numbers {digest(json.dumps(unworded(numbers)))}'
        yield 'messages', key, said

    def selected(self, model, values, tol, options):
        end = SHORTER.get(model, {}).get(tol)
        code, out, err = self.run(['check', model, *values, '--tol', tol, *options, *(['--end', end] if end and '--end' not in options else []), '--json'])
        return code, json.loads(out) if out.startswith('{') else {}, err

    def choices(self, key):
        code, it, err = self.selected(*key)
        words = [it.pop(k, None) or '' for k in ('reason', 'scales', 'observable')] + err.splitlines()
        for way in it.get('ways', []):
            words.append(f'{way["flow"]}: {way.pop("why_not") or ""}')
            del way['seconds']
        yield 'choices', key, f'{code} {json.dumps(it)}'
        yield 'messages', key, ' / '.join(words)

    def says(self, words):
        code, out, err = self.run(words)
        yield 'messages', words, f'{code} {digest(out) if len(out) > 2000 or code == 0 else out.strip()} {err.strip()}'.replace('\n', ' / ')

    def refusals(self):
        texts = set()
        for path in glob.glob(TESTS + '/**/*refuse*.c', recursive=True):
            texts |= set(re.findall(r'"([a-z][a-z0-9-]*(?:\([^"\n]*\))?)"', open(path).read()))
        flows = sorted(t for t in texts if '(' in t or t in self.methods)
        return self.few([['check', m, '--flow', f] for f in flows for m in REFUSERS])

    def commands(self):
        bad = [['check', f'bad/{os.path.basename(p)}'] for p in sorted(glob.glob(TESTS + '/model-files/bad/*.yaml'))]
        return self.few(bad + [['run', words[1], '--quiet'] for words in bad] + [text.split(' ') if text else [] for text in WRONG])

    def names(self):
        for library in ('libepicycle.so', 'libepicycle-file.so'):
            path = os.path.join(self.folder, library)
            listed = subprocess.run(['nm', '-D', '-P', path], capture_output=True, text=True)
            for line in sorted(listed.stdout.splitlines()):
                name, kind = line.split()[:2]
                yield 'names', f'{library} {name.split("@")[0]}', 'needed' if kind in 'Uwv' else 'exported'

    def jobs(self):
        """What the library says through handles, in a process of its own."""
        it = subprocess.run([sys.executable, __file__, 'jobs', self.folder], capture_output=True, text=True, cwd=self.scratch)
        if it.returncode:
            stop(it.stderr)
        for line in self.few(it.stdout.splitlines()):
            yield tuple(line.split(' | ', 2))

    def lines(self, parts):
        work = []
        if {'rows', 'messages'} & parts:
            work += [(self.rows, k) for k in self.moves()]
        if {'choices', 'messages'} & parts:
            work += [(self.choices, k) for k in self.selections()]
        if 'messages' in parts:
            work += [(self.says, k) for k in self.refusals() + self.commands()]
        if 'names' in parts:
            yield from map(written, self.names())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for answers in pool.map(lambda w: list(w[0](w[1])), work):
                yield from (written(a) for a in answers if a[0] in parts)
        if 'messages' in parts:
            yield from map(written, self.jobs())


def stop(words):
    print('golden: ' + words, file=sys.stderr)
    os._exit(2)


def digest(text):
    return hashlib.md5(text.encode()).hexdigest()[:16] if text else '-'


def unworded(it):
    """Numbers alone: sentences may change without them."""
    if isinstance(it, dict):
        return {k: unworded(v) for k, v in it.items()}
    return [unworded(v) for v in it] if isinstance(it, list) else it


def written(answer):
    part, key, text = answer
    if not isinstance(key, str):
        key = ' ; '.join(' '.join(k) if isinstance(k, list) else k for k in key) if isinstance(key, tuple) else 'epicycle ' + ' '.join(key)
    return f'{part} | {key} | {text}'.rstrip('\n')


def keyed(line):
    part, key, text = line.rstrip('\n').split(' | ', 2)
    return f'{part} | {key}', text


def jobs(folder):
    lib = ctypes.CDLL(os.path.join(folder, 'libepicycle-file.so'))
    lib.epi_job_model.restype = lib.epi_job_file.restype = ctypes.c_void_p
    lib.epi_job_error.restype = ctypes.c_char_p

    def ended(key, job, pairs):
        it = ctypes.c_void_p(job)
        said = [str(lib.epi_job_say(it, a.encode(), b.encode())) for a, b in pairs]
        said.append(str(lib.epi_job_make(it)))
        print(f'messages | job {key} | {" ".join(said)} {(lib.epi_job_error(it) or b"").decode()}'.replace('\n', ' / '))
        lib.epi_job_free(it)

    for model, text in JOBS:
        pairs = re.findall(r'(\w+)=(.*?)(?= \w+=|$)', text) if 'flow=semi' not in text else [('flow', text[5:])]
        ended(f'{model} {text}', lib.epi_job_model(model.encode()), pairs)
    for path in sorted(glob.glob(TESTS + '/model-files/bad/*.yaml')):
        name = 'bad/' + os.path.basename(path)
        text = open(path, 'rb').read()
        if b'\0' not in text:
            ended(name, lib.epi_job_file(name.encode(), text, None, 0), [])


# ---- what is stored ----
def sums(row):
    """Three numbers of a row: its sum, a weighted one, its largest."""
    y = [float(x) for x in row]
    return [sum(y), sum(x/(i + 1.5) for i, x in enumerate(y)), max(map(abs, y), default=0)]


def kept_rows(build, key):
    model, flow = key
    exact = model in EXACT and not any(f in flow for f in LIBM)
    code, rows, stats, err = build.moved(model, flow, short=not exact)
    table = [line.split(',') for line in rows.splitlines()]
    size = len(stats.get('state') or [])
    if len(table) < 3 or not size:
        return f'{code} refused'
    if exact:
        return f'{code} exact {digest(repr([r[:size] for r in table]))}'
    return f'{code} near ' + ' '.join(f'{x:.14g}' for x in sums(table[-1][:size]))


def kept_choices(build, key):
    code, it, err = build.selected(*key)
    head = re.sub(r'=[^,()]*', '', it.get('flow') or '-')
    return f'{code} {re.sub(r", [0-9.e+-]+", "", head)} | {it.get("error")} {it.get("spent")}'


def kept(build):
    for key in build.moves():
        if not NEEDS_SUNDIALS.search(key[1]):
            yield 'rows', key, kept_rows
    if build.sundials:
        for key in build.selections():
            yield 'choices', key, kept_choices


def loose(was, now):
    """The same on another machine, as far as libm lets it be."""
    a, b = was.split(' '), now.split(' ')
    if was == now or a[0] != b[0] or len(a) != len(b):
        return was == now
    if a[1] == b[1] == 'near':
        x, y = ([float(t) for t in it[2:]] for it in (a, b))
        return all(abs(p - q) <= 1e-12*max(1, x[2]) for p, q in zip(x, y))
    if '|' in a and a[:-2] == b[:-2] and 'None' not in a + b:
        return float(a[-2])/4 <= float(b[-2]) <= float(a[-2])*4 and abs(float(b[-1]) - float(a[-1])) <= 0.2*float(a[-1])
    return False


def stored_lines(build, parts):
    work = [w for w in kept(build) if w[0] in parts]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(lambda w: written((w[0], w[1], w[2](build, w[1]))), work)


def renew(folder):
    build = Build(folder, False)
    with open(HERE + '/stored.txt', 'w') as file:
        for line in stored_lines(build, {'rows', 'choices'}):
            file.write(line + '\n')
    build.close()


def check(folder, parts, sample):
    build = Build(folder, sample)
    stored = dict(keyed(line) for line in open(HERE + '/stored.txt'))
    same = failed = 0
    for key, answer in map(keyed, stored_lines(build, parts)):
        was = stored.get(key)
        if was is not None and loose(was, answer):
            same += 1
            continue
        failed += 1
        print(f'FAILED: {key}\n  stored {was}\n  now    {answer}')
    build.close()
    print(f'{same} passed, {failed} failed')
    return failed != 0


def compare(a, b, parts, sample):
    found = []
    for folder in (a, b):
        build = Build(folder, sample)
        found.append(dict(map(keyed, build.lines(parts))))
        build.close()
    differ = 0
    for key in list(dict.fromkeys([*found[0], *found[1]])):
        if found[0].get(key) != found[1].get(key):
            differ += 1
            print(f'{key}\n- {found[0].get(key)}\n+ {found[1].get(key)}')
    print(f'{len(found[0])} lines, {differ} differ')
    return differ != 0


def main():
    words = [w for w in sys.argv[2:] if w != '--sample']
    sample = '--sample' in sys.argv
    builds = {'print': 1, 'check': 1, 'renew': 1, 'jobs': 1, 'compare': 2}.get(sys.argv[1] if len(sys.argv) > 1 else '')
    if not builds or len(words) < builds or set(words[builds:]) - set(PARTS):
        stop(__doc__)
    parts = set(words[builds:]) or set(PARTS)
    if sys.argv[1] == 'jobs':
        jobs(words[0])
    elif sys.argv[1] == 'renew':
        renew(words[0])
    elif sys.argv[1] == 'check':
        sys.exit(check(words[0], parts, sample))
    elif sys.argv[1] == 'compare':
        sys.exit(compare(words[0], words[1], parts, sample))
    else:
        build = Build(words[0], sample)
        for line in build.lines(parts):
            print(line, flush=True)
        build.close()


main()
