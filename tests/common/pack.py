# pack.py - reads what pack.sh wrote: numbers against the .csv, to the bit
import base64, csv, json, math, struct, sys
import xml.etree.ElementTree as xml
import h5py, numpy as np


def table(path):
    rows = list(csv.reader(open(path)))
    return rows[0], rows[1:]


names, rows = table('a.csv')
x = np.array(rows, float)
z = np.load('a.npz')
assert list(z['_columns']) == names and set(z.files) == set(names) | {'_columns', '_units', '_parameters', '_about'}
units = dict(zip(z['_columns'], z['_units']))
assert units['t'] == 's' and units['vx'] == 'm/s' and units['laplace-x'] == ''
for i, name in enumerate(names):
    assert np.array_equal(z[name], x[:, i]), name
parameter = {p['name']: p for p in z['_parameters']}
assert parameter['e']['value'] == 0.6 and parameter['mu']['unit'] == 'm^3/s^2'
about = json.loads(str(z['_about'][()]))
assert about['out'] == 'a.npz' and about['status'] == 'done' and about['rows'] == len(rows)

for file in 'a.h5', 'a.hdf5':
    f = h5py.File(file)
    assert [s.decode() for s in f['_columns'][:]] == names
    for i, name in enumerate(names):
        assert np.array_equal(f[name][:], x[:, i]) and f[name].attrs['unit'] == units[name], name
    assert f['_parameters/e'][()] == 0.6 and f['_parameters/mu'].attrs['unit'] == 'm^3/s^2'
    assert json.loads(f.attrs['about'])['flow'] == about['flow']

names, rows = table('s.csv')
z, f = np.load('s.npz'), h5py.File('s.h5')
assert list(z['_columns']) == names and len(rows) == 5
for i, name in enumerate(names):
    column = [row[i] for row in rows]
    if name in ('outcome', 'why'):
        assert list(z[name]) == column and [s.decode() for s in f[name][:]] == column
    else:
        assert np.array_equal(z[name], np.array(column, float)) and np.array_equal(f[name][:], z[name])
assert f['q0'].attrs['unit'] == 'rad' and 'q0=0.1:0.5:0.1' in json.loads(f.attrs['about'])['command']

one, other = np.load('whole.npz'), np.load('half.npz')
assert all(np.array_equal(one[name], other[name]) for name in one['_columns']) and len(one['t']) == 201


# ---- bodies ----
def array(a):
    kind = {'Float64': 'd', 'Int64': 'q', 'Int32': 'i'}[a.get('type')]
    raw = base64.b64decode(a.text)
    size, = struct.unpack('=Q', raw[:8])
    assert len(raw) == 8 + size
    return np.frombuffer(raw[8:], kind).reshape(-1, int(a.get('NumberOfComponents', 1)))


def frame(path):
    piece = xml.parse(path).find('.//Piece')
    n = int(piece.get('NumberOfPoints'))
    data = {a.get('Name'): array(a) for a in piece.find('PointData')}
    points = array(piece.find('Points/DataArray'))
    assert len(points) == n and all(len(a) == n for a in data.values())
    cells = {}
    for kind, corners, count in ('Verts', 1, 'NumberOfVerts'), ('Lines', 2, 'NumberOfLines'), ('Polys', 4, 'NumberOfPolys'):
        to, end = (array(a)[:, 0] for a in piece.find(kind))
        assert len(end) == int(piece.get(count)) and np.array_equal(end, corners*np.arange(1, len(end) + 1))
        assert len(to) == corners*len(end) and (not len(to) or (to.min() >= 0 and to.max() < n))
        cells[kind] = to.reshape(-1, corners)
    codes = xml.parse(path).find('.//FieldData/Array').text.split()
    return points, data, cells, bytes(int(c) for c in codes).decode().split('\0')[:-1]


def volume(points, faces):
    a, b, c, d = (points[faces[:, i]] for i in range(4))
    return abs(np.sum(np.cross(a, b)*c) + np.sum(np.cross(a, c)*d))/6


names, rows = table('d.csv')
listed = xml.parse('d.pvd').findall('.//DataSet')
assert len(listed) == len(rows) == 11
assert [float(d.get('timestep')) for d in listed] == [float(r[0]) for r in rows]
for d, row in zip(listed, rows):
    points, data, cells, bodies = frame(d.get('file'))
    state = dict(zip(names, map(float, row)))
    for i, body in enumerate(bodies):
        if body + '.z' not in state:
            continue
        mine = points[data['shape'][:, 0] == i]
        centre = (mine.min(0) + mine.max(0))/2
        assert all(abs(centre[k] - state[f'{body}.{"xyz"[k]}']) < 1e-12 for k in range(3)), (body, centre)

# rings and balls of a bearing: volumes near those of the solids, for faces that are flat
points, data, cells, bodies = frame(xml.parse('b.pvd').findall('.//DataSet')[0].get('file'))
shape = data['shape'][:, 0]
ball = next(i for i, name in enumerate(bodies) if name.startswith('ball'))
faces = cells['Polys'][shape[cells['Polys'][:, 0]] == ball]
mine = points[shape == ball]
r = np.linalg.norm(mine - (mine.max(0) + mine.min(0))/2, axis=1)
assert np.ptp(r) < 1e-12*r.max() + 1e-15
assert 0.93 < volume(mine - mine.mean(0), faces - np.flatnonzero(shape == ball)[0])/(4/3*math.pi*r[0]**3) < 1
assert len(cells['Verts']) and np.abs(data['vector']).max() > 0

try:
    import vtk
except ImportError:
    sys.exit()
reader = vtk.vtkXMLPolyDataReader()
reader.SetFileName('b/000000.vtp')
reader.Update()
seen = reader.GetOutput()
assert seen.GetNumberOfPoints() == len(points) and seen.GetNumberOfPolys() == len(cells['Polys'])
assert seen.GetPoint(17) == tuple(points[17]) and seen.GetFieldData().GetAbstractArray('names').GetValue(1) == bodies[1]
