# Copyright The eksfargate Authors.
# SPDX-License-Identifier: Apache-2.0
"""Makes calls with boto3: reads requests, one a line, and answers each with a line."""

import datetime
import functools
import json
import re
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, WaiterError


@functools.cache
def client(service, endpoint):
    config = Config(retries={"total_max_attempts": 1})
    return boto3.client(service, endpoint_url=endpoint, config=config)


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def call(api, request):
    try:
        output = getattr(api, snake(request["operation"]))(**request["input"])
    except ClientError as e:
        error = e.response["Error"]
        status = e.response["ResponseMetadata"]["HTTPStatusCode"]
        return {"error": {"code": error["Code"], "message": error["Message"], "status": status, "type": type(e).__name__}}
    del output["ResponseMetadata"]
    return {"output": output}


def list_names(api, request):
    cluster, size = request["input"]["clusterName"], request["input"]["pageSize"]
    pages = api.get_paginator("list_fargate_profiles").paginate(clusterName=cluster, PaginationConfig={"PageSize": size})
    return {"names": [name for page in pages for name in page["fargateProfileNames"]]}


def wait(api, request):
    try:
        waiter = api.get_waiter(snake(request["operation"]))
        waiter.wait(**request["input"], WaiterConfig={"Delay": 0, "MaxAttempts": 5})
    except WaiterError as e:
        return {"complaint": str(e)}
    return {}


def text(value):
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    raise TypeError(type(value))


print("boto3", boto3.__version__, flush=True)
for line in sys.stdin:
    request = json.loads(line)
    do = {"call": call, "list": list_names, "wait": wait}[request["do"]]
    try:
        answer = do(client(request["service"], request["endpoint"]), request)
    except Exception as e:  # pylint: disable=broad-except
        answer = {"bug": repr(e)}
    print(json.dumps(answer, default=text), flush=True)
