// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes calls with the SDK for JavaScript: reads requests, one a line, and answers
// each with a line.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import * as eks from "@aws-sdk/client-eks";
import * as iam from "@aws-sdk/client-iam";
import * as sts from "@aws-sdk/client-sts";

const options = (endpoint) => ({ endpoint, maxAttempts: 1 });
const clients = {
  eks: (endpoint) => new eks.EKSClient(options(endpoint)),
  iam: (endpoint) => new iam.IAMClient(options(endpoint)),
  sts: (endpoint) => new sts.STSClient(options(endpoint)),
};
const modules = { eks, iam, sts };

async function call(client, { service, operation, input }) {
  try {
    const { $metadata, ...output } = await client.send(new modules[service][operation + "Command"](input));
    return { output };
  } catch (e) {
    if (!e.$metadata?.httpStatusCode) throw e;
    return {
      error: {
        code: e.Code ?? e.name,
        message: e.message,
        status: e.$metadata.httpStatusCode,
        type: e.constructor.name,
      },
    };
  }
}

async function list(client, { input: { clusterName, pageSize } }) {
  const names = [];
  for await (const page of eks.paginateListFargateProfiles({ client, pageSize }, { clusterName })) {
    names.push(...page.fargateProfileNames);
  }
  return { names };
}

async function wait(client, { operation, input }) {
  try {
    await eks["waitUntil" + operation]({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, input);
    return {};
  } catch (e) {
    return { complaint: e.message };
  }
}

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
console.log("node", process.version, JSON.stringify(dependencies));
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const client = clients[request.service](request.endpoint);
  let answer;
  try {
    answer = await { call, list, wait }[request.do](client, request);
  } catch (e) {
    answer = { bug: String(e) };
  }
  client.destroy();
  console.log(JSON.stringify(answer));
}
