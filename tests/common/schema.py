# schema.py FOLDER SOURCE COMMAND - the schema in FOLDER against all model files there are, and against wrong ones
import copy, glob, json, os, subprocess, sys
import jsonschema, yaml

folder, source, command = sys.argv[1:]
schema = json.load(open(folder + '/schema.json'))
jsonschema.Draft202012Validator.check_schema(schema)
valid = jsonschema.Draft202012Validator(schema).is_valid
failed = checked = 0


def bad(words):
    global failed
    failed += 1
    print('FAILED:', words)


def good(path):
    global checked
    checked += 1
    it = yaml.safe_load(open(path))
    if not valid(it):
        bad(f'{path}: {jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(it)).message[:200]}')
    return it


shown = sorted(glob.glob(folder + '/*.yaml'))
examples = sorted(glob.glob(source + '/examples/*.yaml'))
assert len(shown) > 20 and len(examples) > 10
files = [good(path) for path in shown + examples]
others = sorted(glob.glob(source + '/tests/model-files/good/*.yaml') + glob.glob(source + '/tests/cases/*.yaml'))
assert len(others) > 10
for path in others:
    if subprocess.run([command, 'check', path, '--format'], capture_output=True).returncode == 0:
        good(path)

# every map with a key more is refused, in every example
def maps(it, at=()):
    if isinstance(it, dict):
        yield at
        for key, value in it.items():
            yield from maps(value, at + (key,))
    elif isinstance(it, list):
        for i, value in enumerate(it):
            yield from maps(value, at + (i,))


free = {'parameters', 'tables', 'over'}          # names in there are the user's
for path, it in zip(shown + examples, files):
    if 'own' in os.path.basename(path):
        continue
    for at in maps(it):
        wrong = copy.deepcopy(it)
        here = wrong
        for key in at:
            here = here[key]
        if free & {str(k) for k in at}:
            continue
        here['lenght'] = 1
        checked += 1
        if valid(wrong):
            bad(f'{path}: a wrong key is taken at {at}')

drop = yaml.safe_load(open(source + '/examples/drop.yaml'))
for what, change in {
    'a step that is negative': lambda d: d.update(step=-1),
    'a step that is a list': lambda d: d.update(step=[1]),
    'bodies that are a map': lambda d: d['world'].update(bodies={'name': 'one'}),
    'a place in the plane': lambda d: d['world']['bodies'][0].update(at=[0, 1]),
    'an appearance of gold': lambda d: d['world']['bodies'][0].update(appearance='gold'),
    'no world': lambda d: d.update(world=None),
}.items():
    wrong = copy.deepcopy(drop)
    change(wrong)
    checked += 1
    if valid(wrong):
        bad(what)
print(f'{checked - failed} passed, {failed} failed')
sys.exit(failed > 0)
