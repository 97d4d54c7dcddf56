"""golden.py - what a build answers: rows, method selections, exported names, messages, one line per request

  golden.py print BUILD [PART ...] [--sample]         the lines of one build
  golden.py compare A B [PART ...] [--sample]         the lines of A and B that differ, exact to the last bit; exit 1 if there are any
  golden.py check BUILD [rows choices] [--sample]     a build against stored.txt, as far as machines agree; exit 1 if it differs
  golden.py renew BUILD                               writes stored.txt; needs a C compiler

BUILD is a folder with the command and the shared libraries; nothing else of it is used, so that an old build can be compared with a new
one. A line is `part | request | answer`. The parts:
  rows      every model by every flow that `show` has as an example, and by FLOWS: checksums of the rows and of the statistics
  choices   every model at three tolerances, VARIED parameters, and FORCED ones: flow, error, evaluations spent and predicted, candidates
  names     the exported symbols of the libraries, and what they need
  messages  the sentences of all these requests, of tests/model-files/bad, of every flow text in tests/*refuse* on REFUSERS, of wrong
            command lines, of wrong jobs of the library by handles; and of the refusal tests themselves, where both builds have them
No line has a time in it. Every request is bounded by the steps it takes or by SHORTER; one that needs more than LIMIT seconds all the same
is an error (exit 2), never skipped.

stored.txt keeps what other machines must find too. Rows of models and flows that use + - * / and sqrt only (EXACT, LIBM) are kept by their
checksum; the rest by three sums over the last row of two short steps, which agree to 1e-12. Choices depend on the last bit of libm here and
there: kept are the candidate (the flow without its numbers), the error to a factor of 4 and the evaluations spent to 20 %. What a libm
that is one unit off in the last place (shifted.c) answers otherwise is marked `varies` and not compared: about one choice in six.
To renew it after an intended change: compare the builds before and after, explain every line that differs in the commit, then
  python3 tests/golden/golden.py renew build
A request that is not in stored.txt (a new model, a new method) is counted and told, and does not fail: renew then too.
"""
import concurrent.futures, ctypes, glob, hashlib, json, os, re, shutil, subprocess, sys, tempfile, threading, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
LIMIT, SHARE, STEPS = 600, 16, 24
PARTS = ('rows', 'choices', 'names', 'messages')
NEEDS_SUNDIALS = re.compile(r'\b(cvode|arkode)\b')

# as tests/foreign/bits.c has them; models whose start uses libm too are left out
EXACT = {'van-der-pol', 'two-oscillators', 'bounce', 'billiard', 'oscillator', 'rolling-sphere'}
LIBM = ('tolerance(', 'adams', 'density(', 'hmm(', 'variational(', 'picard')


def section(name):
    """The lines under [name] in requests.txt."""
    return re.search(rf'^\[{name}\]\n(.*?)(?:\n\n|\Z)', open(HERE + '/requests.txt').read(), re.M | re.S).group(1).strip('\n').split('\n')


FLOWS, FORCED, WRONG, SAID = map(section, ('flows', 'forced', 'wrong', 'jobs'))
REFUSERS = ('kepler', 'inverted-pendulum', 'van-der-pol', 'stiff-springs', 'rod-chain', 'rigid-body', 'billiard', 'two-oscillators')
# of the model's own step, where that resolves nothing or takes too long by most flows
SCALE = {'bearing': 0.05, 'roller-bearing': 0.05, 'double-pendulum': 0.02, ('spring-chain', 'picard'): 0.05}
SMALL = {'roller-bearing': ['Z=4', 'slices=3']}
# ends of the runs for which a flow is chosen, where the model's own takes too long
SHORTER = {'bearing': {'1e-3': '1e-5', '1e-5': '2e-6', '1e-6': '2e-6', '1e-9': '2e-7'},
           'roller-bearing': {'1e-3': '2e-6', '1e-5': '1e-6', '1e-6': '1e-6', '1e-9': '2e-7'},
           'double-pendulum': {'1e-9': '0.02'}, 'stack': {'1e-9': '0.02'}}


class Build:
    """One build: its command, run in a folder of each thread, and the requests that its models and methods give."""

    def __init__(self, folder, sample, preload=None):
        self.folder, self.sample, self.preload, self.local = os.path.abspath(folder), sample, preload, threading.local()
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

    def run(self, words):
        if not hasattr(self.local, 'place'):
            self.local.place = tempfile.mkdtemp(dir=self.scratch)
            shutil.copytree(os.path.join(TESTS, 'model-files', 'bad'), self.local.place + '/bad')
        # the same folder name in every thread and build, so that no sentence differs by it
        env = dict(os.environ, LC_ALL='C', HOME=self.scratch, COLUMNS='100')
        if self.preload:
            env['LD_PRELOAD'] = self.preload
        try:
            it = subprocess.run([self.command, *words], cwd=self.local.place, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                                timeout=LIMIT)
        except subprocess.TimeoutExpired:
            stop(f'epicycle {" ".join(words)}: more than {LIMIT} s: make it shorter')
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
        flows = self.flows()
        return self.few([(m, f) for m in self.models for f in dict.fromkeys([self.models[m]['flow'], *flows])])

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
        step = m['step']*SCALE.get((model, flow), SCALE.get(model, 1))/(100 if short else 1)
        count = 2 if short else STEPS
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
        numbers = digest(json.dumps(unworded(numbers)))
        yield 'rows', key, f'{code} rows {stats.get("rows")} calls {stats.get("calls")} csv {digest(rows)} numbers {numbers}'
        yield 'messages', key, said

    def selected(self, model, values, tol, options):
        end = SHORTER.get(model, {}).get(tol)
        if end and '--end' not in options:
            options = [*options, '--end', end]
        code, out, err = self.run(['check', model, *values, '--tol', tol, *options, '--json'])
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
        # times of the summary
        out = re.sub(r'\b[0-9.e+-]+ (s|ms)\b', 'some s', out)
        yield 'messages', words, f'{code} {digest(out) if len(out) > 2000 or code == 0 else out.strip()} {err.strip()}'.replace('\n', ' / ')

    def refusals(self):
        texts = set()
        for path in glob.glob(TESTS + '/**/*refuse*.c', recursive=True):
            texts |= set(re.findall(r'"([a-z][a-z0-9-]*(?:\([^"\n]*\))?)"', open(path).read()))
        flows = sorted(t for t in texts if '(' in t or t in self.methods)
        return self.few([['check', m, '--flow', f] for f in flows for m in REFUSERS])

    def commands(self):
        bad = [['check', f'bad/{os.path.basename(p)}'] for p in sorted(glob.glob(TESTS + '/model-files/bad/*.yaml'))]
        return self.few(bad + [['run', words[1], '--quiet'] for words in bad] + [[]] + [text.split(' ') for text in WRONG])

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
        found = {tuple(line.split(' | ', 2)) for line in it.stdout.splitlines()}
        yield from (a for a in sorted(found) if self.few([a[1]]))

    def tests(self):
        """The sentences that the C tests of refusals compare with a part of them."""
        for path in sorted(glob.glob(TESTS + '/**/*refuse*.c', recursive=True)):
            name = os.path.basename(path)[:-2]
            if os.path.exists(f'{self.folder}/tests/{name}'):
                it = subprocess.run([f'{self.folder}/tests/{name}'], env=dict(os.environ, TEST_SAID='1'), capture_output=True, text=True)
                seen = {}
                for line in re.findall('^said (.*)', it.stdout, re.M):
                    part, text = line.split(' | ', 1)
                    seen[part] = seen.get(part, 0) + 1
                    yield 'messages', f'test {name}: {part} {seen[part]}', text

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
            yield from map(written, self.tests())


def stop(words):
    print('golden: ' + words, file=sys.stderr)
    os._exit(2)


def digest(text):
    return hashlib.md5(text.encode()).hexdigest()[:16] if text else '-'


def unworded(it):
    """The numbers in it: sentences and names may change without them."""
    if isinstance(it, (dict, list)):
        return [x for v in (it.values() if isinstance(it, dict) else it) for x in unworded(v)]
    return [] if isinstance(it, str) else [it]


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

    for model, text in ((m, t) for m in ('kepler', 'stiff-springs', 'rod-chain', 'inverted-pendulum') for t in SAID):
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
    if code:
        return f'{code} refused'
    head = re.sub(r'=[^,()]*|, [0-9.e+-]+', '', it['flow'])
    return f'{code} {head} error {it["error"]} spent {it["spent"]}'


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
    if was in (now, 'varies') or a[0] != b[0] or len(a) != len(b):
        return was in (now, 'varies')
    if a[1] == b[1] == 'near':
        x, y = ([float(t) for t in it[2:]] for it in (a, b))
        return all(abs(p - q) <= 1e-12*max(1, x[2]) for p, q in zip(x, y))
    if a[-2] != 'spent' or a[:-3] != b[:-3] or 'None' in (a[-3], b[-3]):
        return False
    return float(a[-3])/4 <= float(b[-3]) <= float(a[-3])*4 and abs(float(b[-1]) - float(a[-1])) <= 0.2*float(a[-1])


def stored_lines(build, parts):
    work = [w for w in kept(build) if w[0] in parts]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(lambda w: written((w[0], w[1], w[2](build, w[1]))), work)


def renew(folder):
    build = Build(folder, False)
    shifted = build.scratch + '/shifted.so'
    flags = ['-O2', '-fno-builtin', '-shared', '-fPIC']
    subprocess.run([os.environ.get('CC', 'cc'), *flags, HERE + '/shifted.c', '-o', shifted, '-ldl', '-lm'], check=True)
    other = Build(folder, False, shifted)
    with open(HERE + '/stored.txt', 'w') as file:
        for here, there in zip(stored_lines(build, {'rows', 'choices'}), stored_lines(other, {'rows', 'choices'})):
            key, answer = keyed(here)
            varies = not loose(answer, keyed(there)[1])
            if varies and 'exact' in answer:
                stop(f'{key} depends on libm: take it from EXACT, or put its flow into LIBM')
            file.write(f'{key} | {"varies" if varies else answer}\n')
    other.close()
    build.close()


def check(folder, parts, sample, path):
    build = Build(folder, sample)
    stored = dict(map(keyed, open(path)))
    count = dict.fromkeys(('passed', 'failed', 'not stored'), 0)
    for key, answer in map(keyed, stored_lines(build, parts)):
        was = stored.get(key)
        verdict = 'not stored' if was is None else 'passed' if loose(was, answer) else 'failed'
        count[verdict] += 1
        if verdict == 'failed':
            print(f'FAILED: {key}\n  stored {was}\n  now    {answer}')
    build.close()
    print(', '.join(f'{n} {verdict}' for verdict, n in count.items()) + (': see the head of golden.py' if count['failed'] else ''))
    return count['failed'] != 0 or not count['passed']


def compare(a, b, parts, sample):
    found = []
    for folder in (a, b):
        build = Build(folder, sample)
        found.append(dict(map(keyed, build.lines(parts))))
        build.close()
    if any(not any(' | test ' in key for key in lines) for lines in found):
        found = [{k: v for k, v in lines.items() if ' | test ' not in k} for lines in found]
    differ = 0
    for key in list(dict.fromkeys([*found[0], *found[1]])):
        if found[0].get(key) != found[1].get(key):
            differ += 1
            print(f'{key}\n- {found[0].get(key)}\n+ {found[1].get(key)}')
    print(f'{len(found[0])} lines, {differ} differ')
    return differ != 0


def main():
    words = [w for w in sys.argv[2:] if not w.startswith('--')]
    sample = '--sample' in sys.argv
    stored = ([w[9:] for w in sys.argv if w.startswith('--stored=')] or [HERE + '/stored.txt'])[0]
    builds = {'print': 1, 'check': 1, 'renew': 1, 'jobs': 1, 'compare': 2}.get(sys.argv[1] if len(sys.argv) > 1 else '')
    if not builds or len(words) < builds or set(words[builds:]) - set(PARTS):
        stop(__doc__)
    parts = set(words[builds:]) or set(PARTS)
    if sys.argv[1] == 'jobs':
        jobs(words[0])
    elif sys.argv[1] == 'renew':
        renew(words[0])
    elif sys.argv[1] == 'check':
        sys.exit(check(words[0], parts, sample, stored))
    elif sys.argv[1] == 'compare':
        sys.exit(compare(words[0], words[1], parts, sample))
    else:
        build = Build(words[0], sample)
        for line in build.lines(parts):
            print(line, flush=True)
        build.close()


main()
