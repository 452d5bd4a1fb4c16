// What deploy checks before the CDK starts: the bootstrap under its qualifier, the API key, and the existing table.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { tableShape } from "../../lib/aws/table-shape.ts";
import { type Answer, type Asked, startAccount } from "../aws/account-server.ts";
import { bareEnvironment } from "../aws/bare-environment.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run } from "./terminal.ts";

const folder = makeFolder();
const at = (name: string) => join(folder, name);
const json = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });
const notFound = json(400, { __type: "ParameterNotFound" });
const bodies: string[] = [];
let respond: (request: Asked, body: string) => Answer;
const account = await startAccount((request, body) => {
  bodies.push(body);
  return respond(request, body);
});

// The CDK CLI starts the first `node` in PATH. This script replaces it and records arguments and configuration.
writeFileSync(at("node"), `#!/bin/sh\nshift\necho "$@ $V1WATCH_CONFIG" > '${at("cdk")}'\n`);
chmodSync(at("node"), 0o755);
const cdkArguments = () => (existsSync(at("cdk")) ? readFileSync(at("cdk"), "utf8").trim() : undefined);

const environment = {
  ...bareEnvironment(folder, account.endpoint),
  PATH: folder,
  AWS_ACCESS_KEY_ID: "AKIATEST",
  AWS_SECRET_ACCESS_KEY: "secret",
};

function start(args: string[], settings: object = {}, aws: object = {}) {
  const file = at("team.config.json");
  const base = { baseUrl: "https://v1.acme.test", samples: { ids: [1] } };
  writeFileSync(file, JSON.stringify({ ...base, ...settings, aws: { region: "eu-west-1", ...aws } }));
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return run([...args, "--config", file], { env: environment });
}

const table = {
  AttributeDefinitions: ["pk", "sk", "endpoint", "atId", "toDo", "toDoOrder"].map((AttributeName) => ({
    AttributeName,
    AttributeType: "S",
  })),
  KeySchema: [{ AttributeName: "pk" }, { AttributeName: "sk" }],
  GlobalSecondaryIndexes: Object.values(tableShape.indexes).map(({ name, partitionKey, sortKey }) => ({
    IndexName: name,
    KeySchema: [{ AttributeName: partitionKey }, { AttributeName: sortKey }],
  })),
};
const bootstrapped = json(200, { Parameter: { Value: "21" } });

beforeEach(() => {
  account.asked.length = 0;
  bodies.length = 0;
  rmSync(at("cdk"), { force: true });
  respond = () => bootstrapped;
});
afterEach(() => void vi.unstubAllEnvs());

/** One line on standard error, and no CDK. */
async function expectRefusal(printed: Awaited<ReturnType<typeof run>>, expected: RegExp) {
  expect(printed.err).toMatch(expected);
  expect(printed.err).toMatch(/^v1watch: [^\n]+\n$/);
  expect(printed).toMatchObject({ code: 2, out: "" });
  expect(cdkArguments()).toBeUndefined();
}

describe("--config", () => {
  test.each([
    ["synth", ["aws", "synth"], /^synth --quiet/],
    ["deploy", ["aws", "deploy", "--yes"], /^deploy --require-approval never/],
    ["deploy --diff", ["aws", "deploy", "--diff"], /^diff/],
    ["destroy", ["aws", "destroy", "--yes"], /^destroy --force/],
  ])("The option --config of v1watch aws %s is handed to the CDK app", async (_name, args, expected) => {
    expect(await start(args)).toMatchObject({ code: 0, err: "" });
    expect(cdkArguments()).toMatch(expected);
    expect(cdkArguments()).toContain(at("team.config.json"));
  });

  test("v1watch aws destroy is not refused for a request budget that is too small, and deploy is", async () => {
    const settings = { budget: { monthlyRequests: 10 } };
    expect(await start(["aws", "destroy", "--yes"], settings)).toMatchObject({ code: 0, err: "" });
    const printed = await start(["aws", "deploy"], settings);
    expect(printed.code).toBe(2);
    expect(printed.err).toMatch(/1 mistake\n +cadence\.calm/);
  });
});

describe("the bootstrap", () => {
  const asked = () => JSON.parse(bodies[0] ?? "{}").Name;

  test("The bootstrap of the account is looked for under the default qualifier and that of the configuration", async () => {
    await start(["aws", "deploy"]);
    expect(asked()).toBe("/cdk-bootstrap/hnb659fds/version");
    bodies.length = 0;
    await start(["aws", "deploy"], {}, { bootstrapQualifier: "team1" });
    expect(asked()).toBe("/cdk-bootstrap/team1/version");
  });

  test("The bootstrap of the account is looked for under the qualifier of cdk.json in the current folder", async () => {
    const project = at("project");
    mkdirSync(project, { recursive: true });
    const context = { "@aws-cdk/core:bootstrapQualifier": "team3" };
    writeFileSync(join(project, "cdk.json"), JSON.stringify({ context }));
    const before = process.cwd();
    process.chdir(project);
    try {
      respond = () => notFound;
      await expectRefusal(
        await start(["aws", "deploy"]),
        /not bootstrapped.*npx cdk bootstrap --qualifier team3\n/,
      );
      expect(asked()).toBe("/cdk-bootstrap/team3/version");
    } finally {
      process.chdir(before);
    }
  });
});

describe("the API key", () => {
  test.each([
    [
      "an SSM parameter",
      { ssm: "/v1watch/key" },
      /SSM parameter \/v1watch\/key .*aws ssm put-parameter .*--name \/v1watch\/key/,
    ],
    [
      "a secret",
      { secret: "v1watch/key" },
      /secret v1watch\/key .*aws secretsmanager create-secret --name v1watch\/key/,
    ],
  ])(
    "An API key in %s that does not exist is named with the command that creates it",
    async (_name, key, expected) => {
      respond = ({ service }, body) =>
        body.includes("cdk-bootstrap")
          ? bootstrapped
          : json(400, { __type: service === "ssm" ? "ParameterNotFound" : "ResourceNotFoundException" });
      await expectRefusal(await start(["aws", "deploy"], { key }), expected);
    },
  );

  test("An API key that exists is no obstacle, and its value is not decrypted", async () => {
    expect(await start(["aws", "deploy"], { key: { ssm: "/v1watch/key" } })).toMatchObject({
      code: 0,
      err: "",
    });
    expect(JSON.parse(bodies[1] ?? "{}")).toEqual({ Name: "/v1watch/key" });
    expect(await start(["aws", "deploy"], { key: { secret: "v1watch/key" } })).toMatchObject({
      code: 0,
      err: "",
    });
    expect(account.asked.at(-1)?.what).toBe("secretsmanager.DescribeSecret");
  });

  test("An API key that the user may not look at is not checked, and the deployment continues", async () => {
    respond = (_request, body) =>
      body.includes("cdk-bootstrap") ? bootstrapped : json(400, { __type: "AccessDeniedException" });
    const printed = await start(["aws", "deploy"], { key: { ssm: "/v1watch/key" } });
    expect(printed.err).toMatch(
      /^v1watch: could not check whether the API key exists: .*ssm:GetParameter.*\n$/,
    );
    expect(printed.code).toBe(0);
    expect(cdkArguments()).toMatch(/^deploy/);
  });
});

describe("aws.existingTableName", () => {
  const deploy = (described: Answer) => {
    respond = ({ service }) => (service === "dynamodb" ? described : bootstrapped);
    return start(["aws", "deploy"], {}, { existingTableName: "kept-table" });
  };

  test("A table of aws.existingTableName with the keys and indexes of v1watch is accepted", async () => {
    expect(await deploy(json(200, { Table: table }))).toMatchObject({ code: 0, err: "" });
    expect(account.asked.at(-1)?.what).toBe("DynamoDB_20120810.DescribeTable");
  });

  test("A table of aws.existingTableName of another schema is refused with the differences", async () => {
    const keys = { ...table, KeySchema: [{ AttributeName: "id" }] };
    await expectRefusal(
      await deploy(json(200, { Table: keys })),
      /existingTableName: the table kept-table is not a table of v1watch: its keys are id \(\?\) instead of pk \(S\), sk \(S\)\. Name another/,
    );
    const { GlobalSecondaryIndexes: _, ...bare } = table;
    await expectRefusal(
      await deploy(json(200, { Table: bare })),
      /it has no index by-time; it has no index to-do\./,
    );
    const [first, second] = table.GlobalSecondaryIndexes;
    const swapped = [{ ...first, KeySchema: second?.KeySchema }, second];
    await expectRefusal(
      await deploy(json(200, { Table: { ...table, GlobalSecondaryIndexes: swapped } })),
      /the keys of its index by-time are toDo \(S\), toDoOrder \(S\) instead of endpoint \(S\), atId \(S\)/,
    );
  });

  test("A table of aws.existingTableName that does not exist is refused with the remedy", async () => {
    await expectRefusal(
      await deploy(json(400, { __type: "ResourceNotFoundException" })),
      /there is no table kept-table in this account and region\. Correct the name, or remove the setting/,
    );
  });
});
