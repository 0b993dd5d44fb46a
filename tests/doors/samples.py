"""The sample events of events/, with a key, a job and a page of the test in the place of those they make up."""

import json

from local.deploy import route_keys
from local.package import FUNCTION, read_template, resources
from local.stack import ROOT

TEMPLATE = read_template(ROOT / "template.yaml")
FUNCTIONS = resources(TEMPLATE, FUNCTION)
ROUTES = route_keys(TEMPLATE)
# A folder a function, by its logical id, as `sam local invoke` takes it.
EVENTS = {f"{path.parent.name}/{path.stem}": path.read_text() for path in sorted(ROOT.glob("events/*/*.json"))}
KEY_ID = "key_put_its_id_here"
KEY, JOB, PAGE = "vb_put_your_key_here", "4c0ffee4c0ffee4c0ffee4c0ffee4c0f", "https://example.com"


def function_of(name):
    return name.partition("/")[0]


def filled(name, key, page, job=JOB, key_id=KEY_ID):
    text = EVENTS[name].replace(KEY, key).replace(KEY_ID, key_id)
    return json.loads(text.replace(JOB, job).replace(PAGE, page))
