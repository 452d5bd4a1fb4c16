// A comparison in AWS from its command to its result: moto interprets the real definition, the real bundles compare
// the simulated V1 and V2, children are killed, V1 throttles, and the run is paused and resumed.
// V1WATCH_COMPARISON sets another number of passports. Above 10,000 only the fields of V2's profile are compared.

import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from "@aws-sdk/client-sfn";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readParameter } from "../../lib/aws/account.ts";
import { openComparison } from "../../lib/aws/comparison.ts";
import { readComparisonStatus } from "../../lib/commands/parity/follow.ts";
import { loadConfig } from "../../lib/config/config.ts";
import { rateWindowMs } from "../../lib/parity/lease.ts";
import { createSemaphore } from "../../lib/parity/limits.ts";
import { hashText, uniform } from "../../lib/simulator/population.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { createV2Bodies } from "../../lib/simulator/v2/bodies.ts";
import { startV2Simulator, type V2Simulator } from "../../lib/simulator/v2/server.ts";
import { bundleInto } from "../../lib/stack/bundle.ts";
import { probeSettings } from "../../lib/stack/function-settings.ts";
import { run } from "../commands/terminal.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import { changingV2 } from "../simulator/changed-bodies.ts";
import { comparisonResources } from "../stack/comparison.ts";
import { named, ofType, type Resources } from "../stack/synthesis.ts";
import { allows, assumeRoles, type Identity, splitStatements } from "./access.ts";
import { type Recorder, recordCalls } from "./call-recorder.ts";
import { tryForbidden } from "./comparison-access.ts";
import { cutTemplate } from "./cut-template.ts";
import { type Runtime, startRuntime } from "./lambda-runtime.ts";
import { type Aws, account, region, run as runProgram, startAws } from "./moto.ts";
import { resolveReferences } from "./resolve-references.ts";

process.env.CDK_VALIDATION = "false";
const passports = Number(process.env.V1WATCH_COMPARISON ?? 2_000);
const rate = Number(process.env.V1WATCH_COMPARISON_RATE ?? 4_000);
const workers = 8;
vi.setConfig({ testTimeout: 1_800_000 + 60 * passports });
const killedShare = 0.05;
const functionNames = ["compare", "fold"] as const;
const identityNames = [...functionNames, "state machine"];
let [tableName, bucket] = ["", ""];
/** Of the state machine, every name resolved. */
let definition: { States: { Plan: object; Compare: { ItemProcessor: { States: { Keep: object } } } } };
let roleOfMachine = "";
/** The roles of the template. From the start of the tests on, moto refuses what they do not allow. */
const identities = new Map<string, Identity>();
const recorders = new Map<string, Recorder>();

let aws: Aws;
let v1: Simulator;
let v2: V2Simulator;
let invoker: Server;
const folder = mkdtempSync(join(tmpdir(), "v1watch-comparison-"));
const idle: Record<string, Runtime[]> = { compare: [], fold: [] };
const runtimes = new Set<Runtime>();
const invocations = { compare: 0, fold: 0, killed: 0 };
let killedChunks = new Set<string>();
/** When each request arrived at V1. */
const arrivals: number[] = [];
/** How often each passport was read from V1. */
const reads = new Map<string, number>();
const planted = { endpoint: "profile", path: "profile.bio", rate: 0.02, kind: "value" } as const;
const recordArrival = (message: unknown) => {
  const { request, server } = message as { request: IncomingMessage; server: Server };
  const address = server.address() as AddressInfo | null;
  if (address?.port !== v1?.port || request.method !== "GET") return;
  arrivals.push(performance.now());
  const [, id] = /\/passports\/(\d+)$/.exec(request.url ?? "") ?? [];
  if (id !== undefined) reads.set(id, (reads.get(id) ?? 0) + 1);
};

/** With the credentials of its own role and no others. */
async function startFunction(name: string): Promise<Runtime> {
  const environment = {
    ...aws.environment,
    TABLE: tableName,
    BUCKET: bucket,
    RETENTION_DAYS: "400",
    NAMESPACE: "V1Watch",
    SETTINGS: probeSettings(config()),
    ...identities.get(name)?.credentials,
    AWS_ENDPOINT_URL: recorders.get(name)?.url ?? "",
  };
  const runtime = await startRuntime({
    taskRoot: join(folder, name),
    environment,
    timeoutSeconds: 120,
    memoryMb: 256,
  });
  await runtime.readyMs;
  runtimes.add(runtime);
  return runtime;
}

/** Processes at a time, as an account has a limit of functions that run at once. */
const processes = createSemaphore(4);

/** What Lambda does for the state machine: a process of the bundle for each invocation at a time. */
async function invoke(name: "compare" | "fold", event: { chunk?: string }) {
  await processes.acquire();
  return invokeNow(name, event).finally(processes.release);
}

async function invokeNow(name: "compare" | "fold", event: { chunk?: string }) {
  invocations[name]++;
  const runtime = idle[name]?.pop() ?? (await startFunction(name));
  const isKilled = event.chunk !== undefined && killedChunks.delete(event.chunk);
  if (isKilled) {
    invocations.killed++;
    void sleep(300).then(() => runtime.stop());
  }
  const answer = await runtime.invoke(event);
  if (isKilled) runtimes.delete(runtime);
  else idle[name]?.push(runtime);
  return answer;
}

beforeAll(async () => {
  channel("http.server.request.start").subscribe(recordArrival);
  v1 = await startSimulator({ passports });
  v2 = await startV2Simulator({ passports, changeBodies: changingV2({ mismatches: [planted] }) });
  invoker = createServer(async (request, response) => {
    const name = String(request.url).endsWith("fold") ? "fold" : "compare";
    const answer = await invoke(name, JSON.parse(await text(request)));
    const error = { errorType: "Runtime.ExitError", errorMessage: "killed" };
    response.writeHead(200, answer.ok ? {} : { "X-Function-Error": "Unhandled" });
    response.end(JSON.stringify(answer.ok ? answer.value : error));
  });
  invoker.listen(0, "127.0.0.1");
  await once(invoker, "listening");
  aws = await startAws(`http://127.0.0.1:${(invoker.address() as AddressInfo).port}`);
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);

  const mapping = decidedMapping(v2.url);
  // A passport then has 3 requests in place of 9.
  if (passports > 10_000)
    for (const [path, row] of Object.entries(mapping.fields))
      if ("endpoint" in row && row.endpoint !== "profile") delete mapping.fields[path];
  const deployed = { ...mapping, v2: { ...mapping.v2, key: { ssm: "/v1watch/v2-key" } } };
  for (const name of functionNames) {
    bundleInto(join(folder, name), name);
    writeFileSync(join(folder, name, "mapping.json"), JSON.stringify(deployed));
  }
  writeFileSync(join(folder, "mapping.json"), JSON.stringify(deployed));
  writeFileSync(join(folder, "config.json"), JSON.stringify(settings()));
  const open = Object.fromEntries(["score", "accounts", "socials", "credentials"].map((name) => [name, {}]));
  const profile = { properties: { profile: { type: "object", required: ["slug"] } } };
  writeFileSync(join(folder, "v2-schema.json"), JSON.stringify({ $defs: { ...open, profile } }));
  const ids = Array.from({ length: passports }, (_, index) => v1.population.idOf(index));
  writeFileSync(join(folder, "cohort.csv"), `passport_id\n${ids.join("\n")}\n${ids[0]}\n`);

  const assumed = await assumeRoles(aws, await createStack(comparisonResources()));
  for (const [index, identity] of assumed.entries()) identities.set(identityNames[index] ?? "", identity);
  await aws.enforceAccess(true);
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  const parts = await readParameter("/v1watch/v1watch/comparison", region);
  ({ table: tableName, bucket } = JSON.parse(parts ?? "{}"));
  for (const name of functionNames) recorders.set(name, await recordCalls(aws.endpoint));
}, 1_800_000);

/** What the template has for a comparison. Returns the roles of the two functions and of the state machine. */
async function createStack(resources: Resources): Promise<string[]> {
  const types = ["DynamoDB::Table", "S3::Bucket", "SQS::Queue", "IAM::Role", "SSM::Parameter"];
  const isMade = ({ Type }: { Type: string }) => types.includes(Type.replace("AWS::", ""));
  const cut = Object.values(resources).flatMap((one) => (isMade(one) ? [] : [one.Type]));
  const functionArn = (name: string) => `arn:aws:lambda:${region}:${account}:function:${name}`;
  const nameOf = (id: string) => String(resources[id]?.Properties.FunctionName ?? id);
  const template = cutTemplate({ Resources: resources }, cut, (id, attribute) =>
    attribute === undefined ? nameOf(id) : functionArn(nameOf(id)),
  );
  const parameter = (Name: string) => ({
    Type: "AWS::SSM::Parameter",
    Properties: { Name, Type: "String", Value: "any" },
  });
  Object.assign(template.Resources, {
    Key: parameter("/v1watch/key"),
    V2Key: parameter("/v1watch/v2-key"),
  });
  writeFileSync(join(folder, "template.json"), JSON.stringify(template));
  const stack = ["--stack-name", "v1watch"];
  await aws.cli(
    ...["cloudformation", "create-stack", ...stack, "--capabilities", "CAPABILITY_IAM"],
    ...["--template-body", `file://${join(folder, "template.json")}`],
  );
  const { StackResourceSummaries } = (await aws.cli("cloudformation", "list-stack-resources", ...stack)) as {
    StackResourceSummaries: { LogicalResourceId: string; PhysicalResourceId: string }[];
  };
  const physical = Object.fromEntries(
    StackResourceSummaries.map((one) => [one.LogicalResourceId, one.PhysicalResourceId]),
  );
  const made = Object.fromEntries(
    Object.entries(resources).map(([id, one]) => {
      const Ref = physical[id] ?? nameOf(id);
      const isRole = one.Type === "AWS::IAM::Role";
      return [id, { Ref, Arn: isRole ? `arn:aws:iam::${account}:role/${Ref}` : functionArn(Ref) }];
    }),
  );
  // moto's CloudFormation makes state machines that its interpreter does not know.
  const [machine] = ofType(resources, "AWS::StepFunctions::StateMachine");
  const resolved = resolveReferences(machine?.Properties, made) as Record<string, string>;
  definition = JSON.parse(resolved.DefinitionString ?? "");
  roleOfMachine = resolved.RoleArn ?? "";
  await createStateMachine(resolved.StateMachineName ?? "", roleOfMachine, definition);
  const functions = functionNames.map((name) =>
    named(resources, "AWS::Lambda::Function", "FunctionName", `v1watch-${name}`),
  );
  const roles = functions.map(({ Properties }) => String(resolveReferences(Properties.Role, made)));
  return [...roles, roleOfMachine];
}

const queueUrl = (name: string) => `${aws.endpoint}/${account}/${name}`;
const machineArn = (name: string) => `arn:aws:states:${region}:${account}:stateMachine:${name}`;
const withText = (state: object, from: string, to: string): object =>
  JSON.parse(JSON.stringify(state).replace(from, to));

async function createStateMachine(name: string, roleArn: string, content: object): Promise<string> {
  const client = new SFNClient({ region, endpoint: aws.endpoint });
  const command = new CreateStateMachineCommand({ name, roleArn, definition: JSON.stringify(content) });
  return (await client.send(command)).stateMachineArn ?? "";
}

afterAll(async () => {
  channel("http.server.request.start").unsubscribe(recordArrival);
  for (const runtime of runtimes) await runtime.stop().catch(() => {});
  for (const recorder of recorders.values()) recorder.close();
  invoker?.close();
  invoker?.closeAllConnections();
  await aws?.stop();
  await Promise.all([v1?.close(), v2?.close()]);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const parity = (...args: string[]) =>
  run(
    ["parity", "--config", join(folder, "config.json"), "--mapping", join(folder, "mapping.json"), ...args],
    {
      env: aws.environment,
    },
  );
const settings = () => ({
  baseUrl: v1.url,
  key: { ssm: "/v1watch/key" },
  budget: { monthlyRequests: 90_000_000 },
});
function config() {
  const loaded = loadConfig({ fileText: JSON.stringify(settings()), env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  return loaded.config;
}
/** Passports that have a bio which differs. */
function countPlanted(): number {
  const bodyOf = createV2Bodies(v2.population, { profile: "documented", scale: 3 });
  const salt = hashText(`${planted.path} ${planted.kind}`);
  return Array.from({ length: passports }, (_, index) => index).filter((index) => {
    const body = bodyOf("profile", index, { now: 0 }) as { profile?: { bio?: unknown } };
    return uniform(1, index, salt) < planted.rate && typeof body.profile?.bio === "string";
  }).length;
}
const store = () => openComparison({ tableName, bucket, region });

test("The definition passes the linter of CloudFormation, which knows the language of states", async () => {
  const template = (value: object) => ({
    Resources: {
      Machine: {
        Type: "AWS::StepFunctions::StateMachine",
        Properties: { RoleArn: `arn:aws:iam::${account}:role/comparison`, Definition: value },
      },
    },
  });
  const lint = async (value: object) => {
    const file = join(folder, "lint.json");
    writeFileSync(file, JSON.stringify(template(value)));
    return runProgram("cfn-lint", ["--regions", region, "--template", file]);
  };
  expect(await lint(definition)).toEqual({ code: 0, output: "" });
  expect((await lint({ ...definition, StartAt: "Nowhere" })).code).not.toBe(0);
});

test("--estimate sends nothing", async () => {
  const before = arrivals.length;
  const { code, out } = await parity("--cohort", join(folder, "cohort.csv"), "--estimate");
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("1 duplicate,") });
  expect(out).toMatch(/requests to V1 and .* to V2 in .* chunks/);
  expect(arrivals.length).toBe(before);
  expect(await store().read()).toBeUndefined();
});

test("Every passport is compared once, through kills, a throttle, a pause and a resume, within the rate", async () => {
  const chunkCount = Math.ceil(passports / 200);
  const names = Array.from({ length: chunkCount }, (_, number) => String(number).padStart(6, "0"));
  killedChunks = new Set(names.filter((_, index) => index % Math.round(1 / killedShare) === 3));
  const expectedKills = killedChunks.size;
  const started = parity(
    ...[
      "--cohort",
      join(folder, "cohort.csv"),
      "--census",
      "--in-aws",
      "--apart",
      "0s",
      "--rate",
      String(rate),
      "--workers",
      String(workers),
      "--v2-schema",
      join(folder, "v2-schema.json"),
    ],
  );
  const doneCount = async () => {
    const current = await store().read();
    return current ? (await store().listResults(current)).size : 0;
  };
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await sleep(200);
  };
  await until(async () => (await doneCount()) >= 2);

  // V1 throttles for a moment: the run waits, by itself.
  v1.inject([{ kind: "status", status: 429, retryAfterSeconds: 2 }]);
  await until(async () => /answered 429/.test((await store().read())?.why ?? ""));
  v1.clear();

  await until(async () => (await doneCount()) >= 4);
  const paused = await parity("--pause");
  expect(paused).toMatchObject({ code: 0, out: expect.stringContaining("is paused") });
  const followed = await started;
  expect(followed.out).toContain("Paused: by command");
  // What was under way arrives, and nothing after it.
  let before = -1;
  await until(async () => {
    const isSilent = before === arrivals.length;
    before = arrivals.length;
    await sleep(2_000);
    return isSilent && before === arrivals.length;
  });
  expect((await parity("--status")).out).toContain("paused");

  const { code, out, err } = await parity("--resume");
  let [most, from] = [0, 0];
  for (const [index, at] of arrivals.entries()) {
    while ((arrivals[from] ?? 0) <= at - rateWindowMs) from++;
    most = Math.max(most, index - from + 1);
  }
  console.log({
    passports,
    chunkCount,
    ...invocations,
    requestsToV1: arrivals.length,
    rate,
    most,
    planted: countPlanted(),
    readAgain: [...reads.values()].filter((count) => count > 2).length,
  });
  expect({ code, out, err }).toEqual({ code: 1, out: expect.stringContaining("DIFFERENCES: 1 of"), err: "" });
  const digits = passports.toLocaleString("en");
  expect(out).toContain(`All ${digits} passports are compared.`);
  expect(out).toMatch(/bio +value differs/);

  const latest = await store().readLatest();
  const { pairs, skipped } = latest?.aggregate ?? { pairs: 0, skipped: {} };
  expect({ pairs, skipped }).toEqual({ pairs: passports, skipped: {} });
  // Every passport was read twice; only those of a chunk that was stopped were read again.
  expect(reads.size).toBe(passports);
  expect([...reads.values()].filter((count) => count < 2)).toEqual([]);
  const differing = Object.entries(latest?.aggregate.fields ?? {}).flatMap(([path, { raw }]) =>
    Object.keys(raw).length > 0 ? [[path, raw]] : [],
  );
  expect(differing).toEqual([[expect.stringMatching(/profile\.bio$/), { value: countPlanted() }]]);
  // No response of V2 has the member that its schema requires.
  expect(latest?.aggregate.shape).toEqual({ "profile profile.slug missing": passports });
  expect(invocations.killed).toBe(expectedKills);
  const run = await store().read();
  expect(run).toMatchObject({ state: "finished", chunks: chunkCount });
  // Nothing that names a person is left, and no request was lost to the counters.
  const { Contents = [] } = ((await aws.cli("s3api", "list-objects-v2", "--bucket", bucket)) ?? {}) as {
    Contents?: { Key: string }[];
  };
  expect(Contents.filter(({ Key }) => Key.includes("/chunks/"))).toEqual([]);
  expect(run?.spent.v1).toBeGreaterThanOrEqual(arrivals.length);

  // What the page of `v1watch up` shows.
  const page = await readComparisonStatus(config());
  expect(page).toContain("finished");
  expect(page).toContain(`${digits} of ${digits} passports compared`);

  expect(most).toBeLessThanOrEqual(rate);
  expect(most).toBeGreaterThan(0);
});

test("Each role is refused what it does not need", async () => {
  const targets = { bucket, tableName, otherQueue: queueUrl("other"), otherMachine: machineArn("other") };
  for (const [name, { credentials }] of identities) {
    const statuses = await tryForbidden(name, credentials, aws.endpoint, targets);
    expect(statuses.length, name).toBeGreaterThan(0);
    expect(new Set(statuses), `${name}: ${statuses}`).toEqual(new Set([403]));
  }
});

test("The states of the definition run with the role of the state machine, and are refused other targets", async () => {
  const { Compare, Plan } = definition.States;
  const { Keep } = Compare.ItemProcessor.States;
  const variants = {
    kept: Keep,
    "other-queue": { ...Keep, Parameters: { QueueUrl: queueUrl("other"), MessageBody: "{}" } },
    "other-object": withText(Compare, '"Key.$":"$.index"', '"Key":"comparisons/latest.json"'),
    "other-function": withText(
      withText(Plan, "v1watch-fold", "v1watch-report"),
      '"MaxAttempts":2',
      '"MaxAttempts":0',
    ),
  };
  const ended = Object.entries(variants).map(async ([name, state]) => {
    const States = { Only: { ...state, Next: undefined, End: true } };
    const stateMachineArn = await createStateMachine(name, roleOfMachine, { StartAt: "Only", States });
    const input = JSON.stringify({ run: "none", index: "none", concurrency: 1 });
    const client = new SFNClient({ region });
    const { executionArn } = await client.send(new StartExecutionCommand({ stateMachineArn, input }));
    while (true) {
      const { status, error, cause } = await client.send(new DescribeExecutionCommand({ executionArn }));
      if (status !== "RUNNING") return [name, /AccessDenied/.test(`${error} ${cause}`) ? "refused" : status];
      await sleep(100);
    }
  });
  expect(Object.fromEntries(await Promise.all(ended))).toEqual({
    kept: "SUCCEEDED",
    "other-queue": "refused",
    "other-object": "refused",
    "other-function": "refused",
  });
});

/** What is allowed, and done by AWS in the role's name. */
const unseen: Record<string, string> = {
  "logs:CreateLogStream": "Lambda writes the log itself",
  "logs:PutLogEvents": "Lambda writes the log itself",
  "sqs:SendMessage": "Lambda itself puts away the event of a run that failed",
};

test("No call of the functions was refused, every call is allowed, and every allowed call was needed", () => {
  const needless: string[] = [];
  for (const name of functionNames) {
    const { statements } = identities.get(name) ?? { statements: [] };
    const calls = recorders.get(name)?.calls ?? [];
    expect(calls.length).toBeGreaterThan(0);
    const refused = calls.filter(({ status }) => status === 403);
    expect(refused, name).toEqual([]);
    for (const call of calls) expect(allows(statements, call), `${name}: ${JSON.stringify(call)}`).toBe(true);
    for (const one of splitStatements(statements))
      if (calls.some((call) => allows([one], call)) === String(one.Action) in unseen)
        needless.push(`${name}: ${one.Action} ${one.Resource}`);
  }
  expect(needless).toEqual([]);
});
