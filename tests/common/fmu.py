# fmu.py FOLDER - modelDescription.xml of an unpacked FMU against the rules of FMI 2.0; prints guid, start, then "vr name" lines
import os, re, sys
import xml.etree.ElementTree as xml

folder = sys.argv[1]
root = xml.parse(os.path.join(folder, 'modelDescription.xml')).getroot()
assert root.tag == 'fmiModelDescription' and root.get('fmiVersion') == '2.0' and root.get('modelName') and root.get('guid')
order = ['ModelExchange', 'CoSimulation', 'UnitDefinitions', 'TypeDefinitions', 'LogCategories', 'DefaultExperiment', 'VendorAnnotations',
         'ModelVariables', 'ModelStructure']
tags = [child.tag for child in root]
assert tags == sorted(tags, key=order.index) and len(set(tags)) == len(tags)
assert {'CoSimulation', 'ModelVariables', 'ModelStructure'} <= set(tags) and 'ModelExchange' not in tags
name = root.find('CoSimulation').get('modelIdentifier')
assert re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', name)
places = os.listdir(os.path.join(folder, 'binaries'))
assert len(places) == 1 and os.listdir(os.path.join(folder, 'binaries', places[0]))[0].startswith(name + '.')
units = [u.get('name') for u in root.findall('UnitDefinitions/Unit')]
assert len(set(units)) == len(units)
variables = root.findall('ModelVariables/ScalarVariable')
assert len({v.get('name') for v in variables}) == len(variables)
outputs = []
for i, v in enumerate(variables, 1):
    real = v.find('Real')
    assert len(v) == 1 and real is not None and int(v.get('valueReference')) >= 0
    assert real.get('unit') is None or real.get('unit') in units
    kind = v.get('causality'), v.get('variability'), v.get('initial')
    assert kind in {('independent', 'continuous', None), ('output', 'continuous', 'calculated'), ('parameter', 'fixed', 'exact')}
    # a start belongs to what is exact, and to nothing else here
    assert (real.get('start') is not None) == (kind[2] == 'exact')
    outputs += [i] if kind[0] == 'output' else []
assert sum(v.get('causality') == 'independent' for v in variables) == 1
for part in 'Outputs', 'InitialUnknowns':
    assert [int(u.get('index')) for u in root.findall(f'ModelStructure/{part}/Unknown')] == outputs
print(root.get('guid'))
print(root.find('DefaultExperiment').get('startTime'))
print(os.path.join(folder, 'binaries', places[0], os.listdir(os.path.join(folder, 'binaries', places[0]))[0]))
for v in variables:
    print(v.get('valueReference'), v.get('name'), v.find('Real').get('start'))
