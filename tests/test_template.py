"""template.yaml is held to the catalog, to the settings and to the promises of the design."""

import importlib
import re
from pathlib import Path

import pytest

from local.deploy import route_keys
from local.package import BUCKET, FUNCTION, QUEUE, TABLE, read_template, resources
from verbena import settings
from verbena.aws import functions
from verbena.catalog import CATALOG
from verbena.doors import mcp_http, operations, tavily
from verbena.doors.firecrawl import routes as firecrawl
from verbena.stored import BRIEF


def logical_id(arn):
    """The resource of `!GetAtt Table.Arn` or `!Sub "${Table.Arn}/index/*"`."""
    text = f"${{{'.'.join(arn['Fn::GetAtt'])}}}" if "Fn::GetAtt" in arn else arn["Fn::Sub"]
    return re.match(r"\$\{(\w+)\.Arn\}", text)[1]


ROOT = Path(__file__).parents[1]
TEMPLATE = read_template(ROOT / "template.yaml")
DAY_S = 86_400
FUNCTIONS = resources(TEMPLATE, FUNCTION)
MAPPINGS = resources(TEMPLATE, "AWS::Lambda::EventSourceMapping")
QUEUES = resources(TEMPLATE, QUEUE)
TABLES = resources(TEMPLATE, TABLE)
POLICIES = resources(TEMPLATE, "AWS::IAM::ManagedPolicy")
VARIABLES = TEMPLATE["Globals"]["Function"]["Environment"]["Variables"]
ROUTES = route_keys(TEMPLATE)

WORKERS = [name for name, function in FUNCTIONS.items() if function["Handler"].endswith(".worker")]
PART_QUEUES = {
    name.removeprefix(settings.QUEUE_PREFIX).lower(): queue["Ref"]
    for name, queue in VARIABLES.items()
    if name.startswith(settings.QUEUE_PREFIX)
}
DEAD_LETTER_QUEUES = [logical_id(QUEUES[name]["RedrivePolicy"]["deadLetterTargetArn"]) for name in PART_QUEUES.values()]
# Doors: behind the API, or opened by IAM and told by a key's id whose call it is.
DOORS = {*ROUTES, "Intake", "Invoke"}
LIFECYCLE = {
    rule["Id"]: rule for rule in resources(TEMPLATE, BUCKET)["ResultsBucket"]["LifecycleConfiguration"]["Rules"]
}


def statements(function):
    """What a function's role allows: its own statements, and those of the policies it names."""
    for policy in FUNCTIONS[function]["Policies"]:
        named = policy["Fn::If"][1] if "Fn::If" in policy else policy
        document = POLICIES[named["Ref"]]["PolicyDocument"] if "Ref" in named else named
        yield from (s for s in document["Statement"] if s["Resource"] != {"Ref": "ReplyQueues"})


def listed(value):
    return value if isinstance(value, list) else [value]


def allowed(function, prefix=""):
    """Which actions a role has on which of the template's own resources; fails for any other resource."""
    return {
        (action, logical_id(resource))
        for statement in statements(function)
        for action in listed(statement["Action"])
        for resource in listed(statement["Resource"])
        if action.startswith(prefix)
    }


def fed_by(queue):
    """The mapping that hands a queue's messages on."""
    (mapping,) = [m for m in MAPPINGS.values() if logical_id(m["EventSourceArn"]) == queue]
    return mapping


def test_every_verb_has_exactly_one_route_to_the_package_of_its_executor():
    for verb in CATALOG:
        servers = [name for name, keys in ROUTES.items() for key in keys if key == f"POST {verb.path}"]

        assert [FUNCTIONS[name]["Handler"] for name in servers] == [f"{verb.package}.handler.handler"]


def test_the_routes_are_those_of_the_catalog_of_the_operations_and_of_compatible_doors_and_no_others():
    routes = sorted(key for keys in ROUTES.values() for key in keys)

    verbs = [f"POST {verb.path}" for verb in CATALOG]
    served = [operation.route for operation in (*operations.OPERATIONS, *mcp_http.OPERATIONS)]
    compatible = [route for door in (firecrawl.DOOR, tavily.DOOR) for route in door.routes]
    assert routes == sorted([*verbs, *served, *compatible, "$default"])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_handler_path_imports(name):
    module, attribute = FUNCTIONS[name]["Handler"].rsplit(".", 1)

    assert callable(getattr(importlib.import_module(module), attribute))


def test_every_package_of_a_verb_has_its_queue_and_its_worker():
    assert set(PART_QUEUES) == {verb.package for verb in CATALOG}
    for package, queue in PART_QUEUES.items():
        worker = fed_by(queue)["FunctionName"]["Ref"]
        assert FUNCTIONS[worker]["Handler"] == f"{package}.handler.worker"


@pytest.mark.parametrize("name", [name for name in VARIABLES if name.startswith("VERBENA_")])
def test_every_variable_of_the_functions_changes_a_setting(name):
    value = {
        "VERBENA_BILLING": "off",
        "VERBENA_PRICES": '{"web_crawl": 7}',
        "VERBENA_TIERS": "direct,browser",
        "VERBENA_PROXIES": "http://proxy.test:7",
    }.get(name, "77")

    assert settings.from_environment({name: value}) != settings.from_environment({})


def test_functions_end_before_whoever_waits_for_them():
    # Holds and leases of calls made in the request rest on this being the time of every door.
    for name in DOORS:
        assert FUNCTIONS[name]["Timeout"] == settings.API_TIMEOUT_S
    for name in WORKERS:
        assert FUNCTIONS[name]["Timeout"] == settings.WORKER_TIMEOUT_S
    for name in QUEUES.keys() - {"IntakeDlq"}:
        consumer = FUNCTIONS[fed_by(name)["FunctionName"]["Ref"]]
        assert QUEUES[name]["VisibilityTimeout"] >= consumer["Timeout"]


@pytest.mark.parametrize("name", QUEUES)
def test_queues_are_encrypted_and_hide_a_message_as_long_as_the_settings_say(name):
    assert QUEUES[name]["VisibilityTimeout"] == settings.VISIBILITY_S
    assert QUEUES[name]["SqsManagedSseEnabled"] is True


@pytest.mark.parametrize("name", PART_QUEUES.values())
def test_a_part_is_tried_as_often_as_the_settings_say(name):
    assert QUEUES[name]["RedrivePolicy"]["maxReceiveCount"] == settings.MAX_RECEIVES


def test_a_job_outlives_two_full_rounds_of_a_part_that_fails_and_its_dead_letter():
    rounds = (2 * settings.MAX_RECEIVES + 2) * settings.VISIBILITY_S
    burial = max(QUEUES[name]["VisibilityTimeout"] for name in DEAD_LETTER_QUEUES)

    assert rounds + burial < settings.JOB_DEADLINE_S


@pytest.mark.parametrize("name", DEAD_LETTER_QUEUES)
def test_every_dead_letter_queue_keeps_14_days_and_feeds_the_consumer(name):
    assert QUEUES[name]["MessageRetentionPeriod"] == 14 * 24 * 3600
    assert fed_by(name)["FunctionName"] == {"Ref": "DeadLetters"}


@pytest.mark.parametrize("name", MAPPINGS)
def test_messages_come_one_by_one_and_fail_alone(name):
    assert MAPPINGS[name]["BatchSize"] == 1
    assert MAPPINGS[name]["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


@pytest.mark.parametrize("name", WORKERS)
def test_a_worker_may_feed_its_own_queue_and_is_bounded_without_reserved_concurrency(name):
    (mapping,) = [m for m in MAPPINGS.values() if m["FunctionName"] == {"Ref": name}]

    assert FUNCTIONS[name]["RecursiveLoop"] == "Allow"
    assert mapping["ScalingConfig"] == {"MaximumConcurrency": {"Ref": "WorkerConcurrency"}}
    assert "ReservedConcurrentExecutions" not in FUNCTIONS[name]


def test_the_sweeper_ticks_each_minute_and_waits_for_the_next_when_it_fails():
    (event,) = FUNCTIONS["Sweeper"]["Events"].values()

    assert event == {"Type": "Schedule", "Properties": {"Schedule": "rate(1 minute)"}}
    assert FUNCTIONS["Sweeper"]["EventInvokeConfig"] == {"MaximumRetryAttempts": 0}


@pytest.mark.parametrize("name", TABLES)
def test_tables_cost_nothing_when_idle_and_have_the_key_every_store_uses(name):
    assert TABLES[name]["BillingMode"] == "PAY_PER_REQUEST"
    assert TABLES[name]["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]


def test_money_never_expires_and_survives_the_stack():
    assert "TimeToLiveSpecification" not in TABLES["LedgerTable"]
    assert TABLES["LedgerTable"]["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert TEMPLATE["Resources"]["LedgerTable"]["DeletionPolicy"] == "Retain"
    assert TEMPLATE["Resources"]["LedgerTable"]["UpdateReplacePolicy"] == "Retain"


def test_jobs_and_records_expire_by_the_same_attribute():
    expiring = {
        name: table["TimeToLiveSpecification"] for name, table in TABLES.items() if "TimeToLiveSpecification" in table
    }

    by_ttl = {"AttributeName": "ttl", "Enabled": True}
    assert expiring == {"JobsTable": by_ttl, "ConfigTable": by_ttl}


def test_objects_outlive_the_jobs_that_name_them_by_a_day():
    brief, rule = LIFECYCLE["brief"], LIFECYCLE["expire"]
    choices = TEMPLATE["Parameters"]["RetentionDays"]["AllowedValues"]
    days = TEMPLATE["Mappings"]["ObjectDays"]["RetentionDays"]

    assert rule["ExpirationInDays"] == {"Fn::FindInMap": ["ObjectDays", "RetentionDays", {"Ref": "RetentionDays"}]}
    assert sorted(days) == sorted(choices)
    assert all(kept >= int(choice) + 1 for choice, kept in days.items())
    assert (brief["Prefix"], brief["ExpirationInDays"]) == (BRIEF, 1)


def test_kept_pages_outlive_what_names_them_by_a_day():
    rule = LIFECYCLE["pages"]

    assert (rule["Prefix"], rule["Status"]) == ("pages/", "Enabled")
    assert rule["ExpirationInDays"] * DAY_S == settings.PAGES_KEPT_S + DAY_S


def test_the_bucket_is_closed_to_the_public_and_to_plain_http():
    bucket = resources(TEMPLATE, BUCKET)["ResultsBucket"]
    (policy,) = resources(TEMPLATE, "AWS::S3::BucketPolicy").values()
    (statement,) = policy["PolicyDocument"]["Statement"]

    assert len(bucket["PublicAccessBlockConfiguration"]) == 4
    assert all(bucket["PublicAccessBlockConfiguration"].values())
    assert statement["Effect"] == "Deny"
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_names_its_actions_and_only_resources_of_this_template(name):
    actions = allowed(name)

    assert actions
    assert not [action for action, _ in actions if "*" in action]
    assert {resource for _, resource in actions} <= set(TEMPLATE["Resources"])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_may_delete_from_the_ledger(name):
    assert ("dynamodb:PutItem", "LedgerTable") in allowed(name)
    assert ("dynamodb:DeleteItem", "LedgerTable") not in allowed(name)


def on_config(function):
    """What a role may do with the config table: actions, and the partitions they are bound to (None: any)."""
    for statement in statements(function):
        if any(logical_id(resource) == "ConfigTable" for resource in listed(statement["Resource"])):
            bound = statement.get("Condition", {}).get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys")
            yield set(listed(statement["Action"])), bound


@pytest.mark.parametrize("name", FUNCTIONS)
def test_only_doors_read_keys_and_none_can_make_one(name):
    anywhere = {action for actions, bound in on_config(name) if bound is None for action in actions}
    bounds = {key for _, bound in on_config(name) for key in bound or ()}

    assert anywhere == ({"dynamodb:GetItem", "dynamodb:UpdateItem"} if name in DOORS else set())
    assert bounds <= {"providers", "connection#platform", "slot#*", "slot#rest#*"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_only_the_operators_door_changes_providers_and_nobody_opens_an_owners_secret(name):
    changes = {
        key
        for actions, bound in on_config(name)
        if actions & {"dynamodb:DeleteItem", "dynamodb:PutItem"}
        for key in bound or ()
    }
    keys = [statement for statement in statements(name) if logical_id(listed(statement["Resource"])[0]) == "MasterKey"]

    assert {"providers", "connection#platform"} & changes == (
        {"providers", "connection#platform"} if name == "JobsApi" else set()
    )
    assert all(s["Condition"] == {"StringEquals": {"kms:EncryptionContext:owner": "platform"}} for s in keys)
    sealing = {action for statement in keys for action in listed(statement["Action"])}
    assert ("kms:GenerateDataKey" in sealing) == (name == "JobsApi")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_receives_from_no_queue_but_those_mapped_to_it(name):
    received = {queue for _, queue in allowed(name, "sqs:ReceiveMessage")}

    mapped = {logical_id(m["EventSourceArn"]) for m in MAPPINGS.values() if m["FunctionName"] == {"Ref": name}}
    assert received == mapped


@pytest.mark.parametrize("name", [*WORKERS, *ROUTES])
def test_a_verb_sends_to_its_own_queue_alone(name):
    package = FUNCTIONS[name]["Handler"].partition(".")[0]

    sent = {queue for _, queue in allowed(name, "sqs:SendMessage")}

    # Whoever resumes a job continues any verb.
    assert sent == ({PART_QUEUES[package]} if package in PART_QUEUES else set(PART_QUEUES.values()))


@pytest.mark.parametrize("layer", ["HtmlLayer", "PdfLayer"])
def test_what_reads_pages_carries_the_libraries_for_it_and_nothing_else_does(layer):
    carrying = {name for name, function in FUNCTIONS.items() if {"Ref": layer} in function.get("Layers", [])}

    packages = {FUNCTIONS[name]["Handler"].partition(".")[0] for name in carrying}
    assert packages == {"compat", "intake", "mcp_door", "web_discover", "web_scrape"}
    assert carrying == {name for name in FUNCTIONS if FUNCTIONS[name]["Handler"].partition(".")[0] in packages}


def test_only_what_knows_the_sources_of_places_carries_their_libraries():
    carrying = {name for name, function in FUNCTIONS.items() if {"Ref": "MapsLayer"} in function.get("Layers", [])}

    assert carrying == {"Intake", "Invoke", "JobsApi", "MapsApi", "MapsWorker", "McpApi"}


LIFECYCLE = {
    rule["Id"]: rule for rule in resources(TEMPLATE, BUCKET)["ResultsBucket"]["LifecycleConfiguration"]["Rules"]
}


def test_an_extract_of_the_operator_s_comes_to_whoever_searches_it():
    own = {"Fn::If": ["HasOsmExtract", {"Ref": "OsmExtractLayer"}, {"Ref": "AWS::NoValue"}]}
    carrying = {name for name, function in FUNCTIONS.items() if own in function.get("Layers", [])}

    assert carrying == {"Intake", "Invoke", "MapsApi", "MapsWorker", "McpApi"}
    assert TEMPLATE["Parameters"]["OsmExtractLayer"]["Default"] == ""


def test_every_alarm_notifies_the_operators_topic():
    alarms = resources(TEMPLATE, "AWS::CloudWatch::Alarm")

    assert {alarm["MetricName"] for alarm in alarms.values()} >= {"PartsFailed", "JobsPastDeadline", "Errors"}
    for alarm in alarms.values():
        assert alarm["AlarmActions"]["Fn::If"][:2] == ["HasAlarmTopic", [{"Ref": "AlarmTopicArn"}]]


@pytest.mark.parametrize("name", resources(TEMPLATE, "AWS::Logs::LogGroup"))
def test_logs_are_not_kept_for_ever(name):
    assert resources(TEMPLATE, "AWS::Logs::LogGroup")[name]["RetentionInDays"] == {"Ref": "LogRetentionDays"}


def test_replies_go_only_where_the_operator_allows():
    (statement,) = POLICIES["ReplyPolicy"]["PolicyDocument"]["Statement"]

    assert TEMPLATE["Resources"]["ReplyPolicy"]["Condition"] == "HasReplyQueues"
    assert (statement["Action"], statement["Resource"]) == (
        ["sqs:GetQueueUrl", "sqs:SendMessage"],
        {"Ref": "ReplyQueues"},
    )


def test_refused_messages_are_kept_for_people_and_an_alarm_tells_of_them():
    assert QUEUES["IntakeDlq"]["MessageRetentionPeriod"] == 14 * 24 * 3600
    assert [m for m in MAPPINGS.values() if logical_id(m["EventSourceArn"]) == "IntakeDlq"] == []
    alarm = resources(TEMPLATE, "AWS::CloudWatch::Alarm")["MessagesRefusedAlarm"]
    assert alarm["Dimensions"] == [{"Name": "QueueName", "Value": {"Fn::GetAtt": ["IntakeDlq", "QueueName"]}}]


BROWSER = {name: TEMPLATE["Resources"][name] for name in ("Browser", "BrowserRole", "BrowsePolicy")}


def test_there_is_a_browser_only_where_an_image_of_it_is_given():
    assert {resource["Condition"] for resource in BROWSER.values()} == {"HasBrowser"}
    assert TEMPLATE["Conditions"]["HasBrowser"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "BrowserImage"}, ""]}]}
    assert TEMPLATE["Parameters"]["BrowserImage"]["Default"] == ""
    assert VARIABLES["VERBENA_BROWSER_FUNCTION"] == {"Fn::If": ["HasBrowser", {"Ref": "Browser"}, ""]}


def test_the_browser_runs_code_of_strangers_and_may_write_its_log_alone():
    (policy,) = BROWSER["BrowserRole"]["Properties"]["Policies"]
    (statement,) = policy["PolicyDocument"]["Statement"]

    assert "ManagedPolicyArns" not in BROWSER["BrowserRole"]["Properties"]
    assert statement["Action"] == ["logs:CreateLogStream", "logs:PutLogEvents"]
    assert logical_id(statement["Resource"]) == "FunctionLogs"


def test_only_who_reads_pages_may_invoke_the_browser_and_nothing_else_by_that():
    readers = {name for name, function in FUNCTIONS.items() if {"Ref": "HtmlLayer"} in function.get("Layers", [])}

    for name in FUNCTIONS:
        assert allowed(name, "lambda:") == ({("lambda:InvokeFunction", "Browser")} if name in readers else set())


def test_the_browser_ends_after_the_page_it_renders_and_before_who_waits_for_it():
    timeout = BROWSER["Browser"]["Properties"]["Timeout"]

    assert settings.READ_TIMEOUT_MAX_S < timeout < functions.PATIENT.read_timeout


def test_the_image_of_the_browser_starts_an_entry_that_imports():
    dockerfile = (ROOT / "images/browser/Dockerfile").read_text()
    module, attribute = re.search(r'^CMD \["(.+)\.(\w+)"\]$', dockerfile, re.MULTILINE).groups()

    assert callable(getattr(importlib.import_module(module), attribute))
    for source in re.findall(r"^COPY (\S+)", dockerfile, re.MULTILINE):
        assert (ROOT / source).exists()


def test_every_choice_of_tiers_is_one_that_the_settings_take():
    parameter = TEMPLATE["Parameters"]["Tiers"]

    read = [settings.from_environment({"VERBENA_TIERS": value}).tiers for value in parameter["AllowedValues"]]
    assert ["".join(tiers) for tiers in read] == [value.replace(",", "") for value in parameter["AllowedValues"]]


def test_proxies_carry_passwords_and_are_not_shown():
    assert TEMPLATE["Parameters"]["Proxies"]["NoEcho"] is True
