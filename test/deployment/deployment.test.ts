// The whole way: the real template, the real command line, the deployed bundles, and a V1 that leaves.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Alert, incidentOf } from "../../lib/records/alert.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";
import { searchArtefacts } from "../sentinels.ts";
import { allows, assumeRoles, type Identity, splitStatements } from "./access.ts";
import { type Recorder, recordCalls } from "./call-recorder.ts";
import { isDone, listDeeds } from "./deeds.ts";
import { beyondLocalStack } from "./further-servers.ts";
import { type Inbox, pickAlert, startInbox } from "./inbox.ts";
import { type Runtime, startRuntime } from "./lambda-runtime.ts";
import { type Aws, account, region, root, run, startAws } from "./moto.ts";
import { resolveReferences } from "./resolve-references.ts";

const apiKey = "sentinel-key-that-must-not-leak-0123456789";
const cdk = join(root, "node_modules", ".bin", "cdk");
const names = ["probe-passport-list", "probe-passport", "probe-passport-credentials", "assess", "report"];

let aws: Aws;
let v1: Simulator;
let folder = "";
let settings: Record<string, string> = {};
/** By so much the time of V1 and of the bundles is ahead of ours. */
let aheadMs = 0;
const clockFile = () => join(folder, "clock");
let receiver: Inbox;
let inbox: Alert[] = [];
const runtimes = new Map<string, Runtime>();
const identities = new Map<string, Identity>();
const recorders = new Map<string, Recorder>();

type Template = { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> };
let template: Template;
const ofType = (type: string) => Object.entries(template.Resources).filter(([, { Type }]) => Type === type);

beforeAll(async () => {
  aws = await startAws();
  v1 = await startSimulator({ key: apiKey, passports: 100, clock: { now: () => Date.now() + aheadMs } });
  receiver = await startInbox();
  inbox = receiver.alerts;
  folder = await mkdtemp(join(tmpdir(), "v1watch-aws-"));
  await writeFile(clockFile(), "0");
  await aws.cli("sqs", "create-queue", "--queue-name", "inbox");
  await aws.cli(
    ...["ssm", "put-parameter", "--name", "/v1watch/key", "--type", "SecureString", "--value", apiKey],
  );
  const config = {
    baseUrl: v1.url,
    key: { ssm: "/v1watch/key" },
    samples: { ids: [v1.population.idOf(0)] },
    cadence: { calm: "36m" },
    aws: {
      removal: "destroy",
      subscriptions: [{ sqs: `arn:aws:sqs:${region}:${account}:inbox` }],
    },
  };
  await writeFile(join(folder, "v1watch.config.json"), JSON.stringify(config));
  await writeFile(join(folder, "v1watch.mapping.json"), JSON.stringify(decidedMapping("https://v2.example")));
  settings = { ...aws.environment, V1WATCH_CONFIG: join(folder, "v1watch.config.json") };
});

afterAll(async () => {
  for (const runtime of runtimes.values()) await runtime.stop();
  for (const recorder of recorders.values()) recorder.close();
  receiver?.close();
  await v1?.close();
  await aws?.stop();
  await rm(folder, { recursive: true, force: true });
});

const deploy = (...args: string[]) => run(cdk, [...args, "--output", join(folder, "cdk.out")], settings);

test("v1watch aws deploy reports what is missing before it starts", async () => {
  const { code, output } = await run(process.execPath, ["bin/v1watch.ts", "aws", "deploy"], settings);
  expect(output).toMatch(/not bootstrapped/);
  expect(output).toMatch(/npx cdk bootstrap/);
  expect(code).toBe(2);
  const nobody = { ...settings, AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", HOME: folder };
  const without = await run(process.execPath, ["bin/v1watch.ts", "aws", "deploy"], nobody);
  expect(without.output).toMatch(/no AWS credentials/);
  expect(without.code).toBe(2);
});

test("The stack is bootstrapped and deployed, and a second deploy changes nothing", async () => {
  const bootstrapped = await deploy("bootstrap", `aws://${account}/${region}`);
  expect(bootstrapped.output).toContain("bootstrapped");
  const deployed = await deploy("deploy", "--require-approval", "never");
  expect(deployed.code, deployed.output).toBe(0);
  expect(deployed.output).toMatch(/in all +\$/);
  const again = await deploy("deploy", "--require-approval", "never");
  expect(again.output).toContain("(no changes)");
  template = JSON.parse(await readFile(join(folder, "cdk.out", "v1watch.template.json"), "utf8"));
});

type Created = {
  StackResourceSummaries: { ResourceType?: string; LogicalResourceId: string; PhysicalResourceId: string }[];
};
let created: Created["StackResourceSummaries"] = [];
const physical = (type: string) =>
  created
    .filter(({ ResourceType }) => ResourceType === type)
    .map(({ PhysicalResourceId }) => PhysicalResourceId);

/** The other one is for alarms. */
const alertTopic = () => physical("AWS::SNS::Topic").find((arn) => arn.includes("-Alerts")) ?? "";

test("Moto reports which resource types of the template it skipped", async () => {
  const listed = (await aws.cli(
    "cloudformation",
    "list-stack-resources",
    "--stack-name",
    "v1watch",
  )) as Created;
  created = listed.StackResourceSummaries.filter(({ ResourceType }) => ResourceType);
  const types = new Set(Object.values(template.Resources).map(({ Type }) => Type));
  const skipped = [...types].filter((type) => physical(type).length === 0).sort();
  console.log(`moto skipped these types: ${skipped.join(", ")}`);
  // LocalStack makes the rest, in skipped-types.test.ts; the second is made in the next test, the first is nothing.
  expect(skipped.filter((type) => beyondLocalStack.includes(type))).toEqual([
    "AWS::CDK::Metadata",
    "AWS::Lambda::EventInvokeConfig",
    "AWS::Logs::QueryDefinition",
  ]);
  for (const type of [
    "DynamoDB::Table",
    "S3::Bucket",
    "SNS::Topic",
    "Lambda::Function",
    "KMS::Key",
    "IAM::Role",
  ])
    expect(skipped).not.toContain(`AWS::${type}`);
});

test("A run that fails is retried once within five minutes", async () => {
  const invocations = ofType("AWS::Lambda::EventInvokeConfig");
  expect(invocations).toHaveLength(names.length);
  const made = Object.fromEntries(
    created.map(({ LogicalResourceId, PhysicalResourceId: Ref }) => [LogicalResourceId, { Ref }]),
  );
  const check = async ({ FunctionName, Qualifier, ...rest }: Record<string, unknown>) => {
    expect(Qualifier).toBe("$LATEST");
    const input = JSON.stringify({ FunctionName, ...rest });
    await aws.cli("lambda", "put-function-event-invoke-config", "--cli-input-json", input);
    const kept = await aws.cli(
      ...["lambda", "get-function-event-invoke-config", "--function-name", String(FunctionName)],
    );
    expect(kept).toMatchObject({ ...rest, MaximumRetryAttempts: 1, MaximumEventAgeInSeconds: 300 });
  };
  await Promise.all(
    invocations.map(([, { Properties }]) =>
      check(resolveReferences(Properties, made) as Record<string, unknown>),
    ),
  );
});

type Configuration = {
  FunctionName: string;
  Handler: string;
  Role: string;
  Environment: { Variables: Record<string, string> };
};
let configurations: Configuration[] = [];

/** A function as it is in AWS, with the credentials of its own role and no others. */
async function startDeployed(name: string, options: { timeoutSeconds?: number } = {}): Promise<Runtime> {
  const found = configurations.find(({ FunctionName }) => FunctionName === `v1watch-${name}`);
  expect(found?.Handler).toBe("index.handler");
  const environment = {
    ...aws.environment,
    ...found?.Environment.Variables,
    ...identities.get(name)?.credentials,
    AWS_ENDPOINT_URL: recorders.get(name)?.url ?? "",
  };
  return startRuntime({ taskRoot: join(folder, name), environment, clockFile: clockFile(), ...options });
}

test("Each function's role is assumed, and from then on moto refuses calls that the role does not allow", async () => {
  const listed = (await aws.cli("lambda", "list-functions")) as { Functions: Configuration[] };
  configurations = listed.Functions;
  const assumed = await assumeRoles(
    aws,
    configurations.map(({ Role }) => Role),
  );
  for (const [index, { FunctionName }] of configurations.entries()) {
    const name = FunctionName.replace("v1watch-", "");
    const identity = assumed[index];
    if (identity) identities.set(name, identity);
    recorders.set(name, await recordCalls(aws.endpoint));
  }
  expect([...identities.keys()].sort()).toEqual([...names].sort());
  const stranger = { ...aws.environment };
  await aws.enforceAccess(true);
  expect(await aws.cli("dynamodb", "list-tables")).toBeDefined();
  const { output } = await run("aws", ["--endpoint-url", aws.endpoint, "iam", "list-users"], stranger);
  expect(output).toContain("InvalidClientTokenId");
});

test("The deployed bundles are read from the bucket and start", async () => {
  for (const name of names) {
    const [, resource] =
      ofType("AWS::Lambda::Function").find(
        ([, { Properties }]) => Properties.FunctionName === `v1watch-${name}`,
      ) ?? [];
    const code = resource?.Properties.Code as { S3Bucket: { "Fn::Sub": string }; S3Key: string };
    const bucket = code.S3Bucket["Fn::Sub"]
      .replace(/\$\{AWS::AccountId\}/, account)
      .replace(/\$\{AWS::Region\}/, region);
    const taskRoot = join(folder, name);
    await aws.cli("s3api", "get-object", "--bucket", bucket, "--key", code.S3Key, `${taskRoot}.zip`);
    await run("python3", ["-m", "zipfile", "-e", `${taskRoot}.zip`, taskRoot]);
    runtimes.set(name, await startDeployed(name));
  }
  await Promise.all([...runtimes.values()].map(({ readyMs }) => readyMs));
});

/** What the scheduler would send, from the template itself. */
function eventFor(name: string, tick: string): unknown {
  const [, schedule] =
    ofType("AWS::Scheduler::Schedule").find(([, { Properties }]) => Properties.Name === `v1watch-${name}`) ??
    [];
  const target = schedule?.Properties.Target as { Input: string } | undefined;
  return JSON.parse(String(target?.Input).replace("<aws.scheduler.scheduled-time>", tick));
}

async function tick(at: string, ...of: string[]): Promise<void> {
  aheadMs = Date.parse(at) + 2_000 - Date.now();
  await writeFile(clockFile(), String(aheadMs));
  await Promise.all(
    of.map(async (name) => {
      const runtime = runtimes.get(name);
      const answer = await runtime?.invoke(eventFor(name, at));
      expect(answer?.ok, `${name}: ${JSON.stringify(answer)} ${runtime?.log().slice(-1_500)}`).toBe(true);
    }),
  );
}

const probes = names.slice(0, 3);
/** The start of a slot of 36 minutes: at any time of day the scheduled checks fall due at the same minutes of the test. */
const slotMs = 36 * 60_000;
const startMs = Math.floor(Date.now() / slotMs) * slotMs;
const minute = (number: number) => new Date(startMs + number * 60_000).toISOString().replace(".000", "");

type Items = { Count: number; Items: { pk: { S: string } }[] };
const listItems = async (prefix: string): Promise<string[]> => {
  const { Items } = (await aws.cli(
    "dynamodb",
    "scan",
    "--table-name",
    physical("AWS::DynamoDB::Table")[0] ?? "",
  )) as Items;
  return Items.map(({ pk }) => pk.S).filter((key) => key.startsWith(prefix));
};
const countItems = async (prefix: string) => (await listItems(prefix)).length;

/** Of the passport, over all that the test does, as AWS's own command line reads it. */
async function readStatistics(metric: string): Promise<{ sum: number; samples: number }> {
  const { Datapoints } = (await aws.cli(
    ...["cloudwatch", "get-metric-statistics", "--namespace", "V1Watch", "--metric-name", metric],
    ...["--dimensions", "Name=Endpoint,Value=passport", "--statistics", "Sum", "SampleCount"],
    ...["--period", "3600", "--start-time", minute(-60), "--end-time", minute(360)],
  )) as { Datapoints: { Sum: number; SampleCount: number }[] };
  const add = (name: "Sum" | "SampleCount") => Datapoints.reduce((all, point) => all + point[name], 0);
  return { sum: add("Sum"), samples: add("SampleCount") };
}

test("A scheduled tick is stored once, and the AWS command line reads its metrics", async () => {
  await tick(minute(0), ...probes);
  const observations = await countItems("observation#");
  expect(observations).toBeGreaterThanOrEqual(3);
  const asked = v1.requests();
  // The same event again, as schedulers may send it, and a minute in which nothing is due.
  await tick(minute(0), ...probes);
  await tick(minute(1), ...probes);
  expect(await countItems("observation#")).toBe(observations);
  expect(v1.requests()).toBe(asked);
  await tick(minute(2), "assess");
  const { Metrics } = (await aws.cli("cloudwatch", "list-metrics", "--namespace", "V1Watch")) as {
    Metrics: { MetricName: string; Dimensions: { Value: string }[] }[];
  };
  const found = Metrics.map(({ MetricName, Dimensions }) =>
    [MetricName, ...Dimensions.map(({ Value }) => Value)].join("/"),
  );
  expect(found).toEqual(
    expect.arrayContaining([
      "LatencyMs/passport-list",
      "RequestFailed/passport",
      "Unauthorized/passport",
      "BreakingDrift/passport",
      "RecordAgeSeconds/passport-list",
      "AssessmentCompleted",
      "OpenIncidents",
      "UndeliveredAlerts",
      "BudgetLeft",
      "UnconfirmedSubscriptions",
    ]),
  );
  // Nothing reads the latency of the others.
  expect(found).not.toContain("LatencyMs/passport");
  // Every prober publishes it without its endpoint, and moto lists each data point of such a metric.
  const others = found.filter((name) => name !== "ClockSkewSeconds");
  expect(others.length).toBe(new Set(others).size);
  for (const name of ["RequestFailed", "Unauthorized", "BreakingDrift"])
    expect(await readStatistics(name), name).toMatchObject({ samples: 1 });
});

test("When V1 is gone, an alert arrives at an HTTP endpoint and in a queue", async () => {
  const topic = alertTopic();
  await aws.cli(
    "sns",
    "subscribe",
    "--topic-arn",
    topic,
    "--protocol",
    "http",
    "--notification-endpoint",
    receiver.url,
  );
  const subscriptions = ofType("AWS::SNS::Subscription").filter(([, { Properties }]) =>
    JSON.stringify(Properties.TopicArn).includes('"Alerts'),
  );
  expect(subscriptions).toHaveLength(1);
  for (const [, { Properties }] of subscriptions) {
    await aws.cli(
      "sns",
      "subscribe",
      "--topic-arn",
      topic,
      "--protocol",
      String(Properties.Protocol),
      "--notification-endpoint",
      String(Properties.Endpoint),
    );
  }
  // The fault begins on the second day.
  v1.use("gone", 86_400_000);
  await tick(minute(30), ...probes);
  for (let later = 31; later <= 36; later += 1) await tick(minute(later), ...probes);
  await tick(minute(37), "assess");
  // Of the two scheduled checks one was good; the confirmations after 1 and 5 minutes have a metric of their own.
  expect(await readStatistics("RequestFailed")).toEqual({ sum: 1, samples: 2 });
  const confirmedAt = [31, 35].map((number) => new Date(minute(number)).toISOString());
  expect(await listItems("observation#passport/authenticated/")).toEqual(
    expect.arrayContaining(confirmedAt.map((at) => `observation#passport/authenticated/${at}`)),
  );
  const confirmations = await readStatistics("ConfirmationFailed");
  expect(confirmations?.samples).toBeGreaterThanOrEqual(2);
  expect(confirmations?.sum).toBe(confirmations?.samples);
  const logs = ["probe-passport", "assess"].map((name) => runtimes.get(name)?.log()).join("\n");
  expect(inbox.length, logs).toBeGreaterThan(0);
  const opened = inbox.find(({ event }) => event === "opened");
  expect(opened?.severity).toBe("page");
  const { Messages } = (await aws.cli(
    "sqs",
    "receive-message",
    "--queue-url",
    `${aws.endpoint}/${account}/inbox`,
    "--max-number-of-messages",
    "10",
  )) as {
    Messages: { Body: string }[];
  };
  const queued = Messages.map(({ Body }) => pickAlert(JSON.parse(Body).Message, "sqs").id);
  expect(queued.sort()).toEqual(inbox.map(({ id }) => id).sort());
  console.log(`notified: ${inbox.map(({ subject }) => subject).join(" · ")}`);
  // It is in the table, for whoever asks there.
  const [table = ""] = physical("AWS::DynamoDB::Table");
  const asked = await run(process.execPath, ["bin/v1watch.ts", "incidents", "--table", table, "--json"], {
    ...settings,
    ...aws.environment,
  });
  expect(asked.output).toContain(`"id": "${opened && incidentOf(opened)}"`);
  // A second assessment sends no second alert.
  const before = inbox.length;
  await tick(minute(38), "assess");
  expect(inbox).toHaveLength(before);
});

test("A drill from the schedule and from the command line arrives, marked as a drill", async () => {
  const answer = await runtimes.get("assess")?.invoke({ tick: minute(39), drill: true });
  expect(answer?.ok).toBe(true);
  expect(inbox.at(-1)?.event).toBe("drill");
  const before = inbox.length;
  const [table = ""] = physical("AWS::DynamoDB::Table");
  const { code, output } = await run(
    process.execPath,
    ["bin/v1watch.ts", "notify", "--drill", "--table", table],
    { ...settings, ...aws.environment },
  );
  expect(code, output).toBe(0);
  await tick(minute(39), "assess");
  expect(inbox.slice(before).map(({ event }) => event)).toContain("drill");
});

test("A report is in the bucket, and the incident is in it", async () => {
  await tick(minute(40), "report");
  const [bucket = ""] = physical("AWS::S3::Bucket");
  const day = minute(40).slice(0, 10);
  for (const kind of ["json", "md", "html"]) {
    await aws.cli(
      "s3api",
      "get-object",
      "--bucket",
      bucket,
      "--key",
      `reports/${day}.${kind}`,
      join(folder, `report.${kind}`),
    );
  }
  const report = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
  expect(report.incidents.length).toBeGreaterThan(0);
  expect(report.changes).toBeNull();
  expect(report.period.from).toBe(minute(0).slice(0, 10));
  expect(report.monitor).toMatchObject({
    isHealthy: true,
    says: expect.stringMatching(/^\d+ observations since /),
  });
  // The mapping lay beside the configuration, and an alert has been accepted before.
  expect(report.mapping.rows.length).toBeGreaterThan(20);
  // The drill was accepted after a subscription was confirmed.
  expect(report.gates.find(({ id }: { id: string }) => id === "alerts").state).toBe("pass");
  expect(await readFile(join(folder, "report.md"), "utf8")).toContain(report.verdict.sentence);
  // A watch of up to two days has no charts.
  expect(await readFile(join(folder, "report.html"), "utf8")).toContain("</html>");
  // The digest waits in the outbox until the next assessment sends it.
  await tick(minute(41), "assess");
  expect(inbox.at(-1)).toMatchObject({ id: `report-${day.replaceAll("-", "")}/1-digest`, severity: "info" });
  // A week later it says what changed since.
  const later = minute(40 + 7 * 1_440);
  await tick(later, "report");
  const file = join(folder, "later.json");
  await aws.cli(
    ...["s3api", "get-object", "--bucket", bucket, "--key", `reports/${later.slice(0, 10)}.json`, file],
  );
  expect(JSON.parse(await readFile(file, "utf8")).changes).toMatchObject({ since: report.generatedAt });
});

test("A function near its deadline stops sending requests, and says so", async () => {
  v1.use("healthy");
  v1.inject([{ kind: "hang" }]);
  const started = await startDeployed("probe-passport", { timeoutSeconds: 9 });
  runtimes.set("hurried", started);
  const at = minute(90);
  aheadMs = Date.parse(at) - Date.now();
  await writeFile(clockFile(), String(aheadMs));
  const answer = await started.invoke({ tick: at });
  v1.clear();
  expect(answer, started.log()).toMatchObject({ ok: true });
  const { message } = JSON.parse(started.log().trim().split("\n").at(-1) ?? "{}");
  expect(message).toMatchObject({ event: "probed", checks: [], stopped: true, published: 0 });
  // Every scheduled check after that has a data point.
  const before = await readStatistics("RequestFailed");
  for (const later of [126, 162, 198, 234]) await tick(minute(later), "probe-passport");
  expect(await readStatistics("RequestFailed")).toEqual({ sum: before.sum, samples: before.samples + 4 });
});

test("A hanging CloudWatch makes no run fail, and the data points arrive later with their own time", async () => {
  const before = await readStatistics("RequestFailed");
  const { hanging } = recorders.get("probe-passport") ?? { hanging: new Set() };
  hanging.add("cloudwatch:PutMetricData");
  const started = await startDeployed("probe-passport", { timeoutSeconds: 60 });
  runtimes.set("waiting", started);
  const at = minute(270);
  aheadMs = Date.parse(at) - Date.now();
  await writeFile(clockFile(), String(aheadMs));
  const answer = await started.invoke({ tick: at });
  hanging.clear();
  expect(answer, started.log()).toMatchObject({ ok: true });
  const lines = started.log().trim().split("\n");
  const { message } = JSON.parse(lines.at(-1) ?? "{}");
  expect(message).toMatchObject({ event: "probed", published: 0 });
  // Rare variants may be due in the same run, which depends on the hour at which the test starts.
  expect(message.checks[0]).toMatchObject({ variant: "authenticated", outcome: "ok" });
  const checks: { variant: string; outcome: string }[] = message.checks;
  const bad = checks.filter(({ variant, outcome }) => variant !== "unknown-id" && outcome !== "ok");
  expect(bad).toEqual([]);
  // Found by the filter of the runbook, with the check and the cause.
  expect(JSON.parse(lines.at(-2) ?? "{}")).toMatchObject({
    level: "ERROR",
    message: {
      event: "not-sent",
      to: "cloudwatch",
      id: expect.stringMatching(/^passport\//),
      cause: expect.stringMatching(/^\w+/),
    },
  });
  expect(await readStatistics("RequestFailed")).toEqual(before);
  // The next run delivers what waited, and its own.
  await tick(minute(306), "probe-passport");
  expect(await readStatistics("RequestFailed")).toEqual({ sum: before.sum, samples: before.samples + 2 });
});

/** Observations and checkpoints are packed in the table; a search has to see what is in them. */
function unpack(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  for (const open of [inflateRawSync, gunzipSync])
    try {
      return open(Buffer.from(value, "base64")).toString();
    } catch {}
  return value;
}

test("No key and no personal data is in any log, template, message, report or item", async () => {
  const { Items } = (await aws.cli(
    ...["dynamodb", "scan", "--table-name", physical("AWS::DynamoDB::Table")[0] ?? ""],
  )) as { Items: Record<string, Record<string, unknown>>[] };
  const items = Items.flatMap((item) => Object.values(item).flatMap((value) => Object.values(value))).map(
    unpack,
  );
  for (const known of ["v1watch/observation/2", "v1watch/probe-state/2"])
    expect(items.filter((item) => item.includes(known)).length, known).toBeGreaterThan(0);
  const reports = ["json", "md", "html"].map((kind) => readFile(join(folder, `report.${kind}`), "utf8"));
  const artefacts: Record<string, string> = Object.fromEntries([
    ...[...runtimes].map(([name, runtime]) => [`log of ${name}`, runtime.log()]),
    ...[
      ["template", JSON.stringify(template)],
      ["messages", JSON.stringify(inbox)],
    ],
    ...items.map((item, number) => [`item ${number}`, item]),
    ...(await Promise.all(reports)).map((report, number) => [`report ${number}`, report]),
  ]);
  const people = Array.from({ length: 100 }, (_, index) => {
    const { passport_profile } = v1.population.passport(index, { now: Date.now() });
    const { display_name } = passport_profile as { display_name: string };
    return [display_name, v1.population.walletOf(index, 0)];
  }).flat();
  expect(searchArtefacts(artefacts, [apiKey])).toEqual({});
  // The samples that the watch chose itself are in the probe state, and nowhere else.
  const withoutSamples = Object.entries(artefacts).filter(
    ([, text]) => !text.includes('"schema":"v1watch/probe-state/2"'),
  );
  expect(searchArtefacts(Object.fromEntries(withoutSamples), people)).toEqual({});
  for (const runtime of runtimes.values())
    for (const line of runtime.log().trim().split("\n").filter(Boolean))
      expect(() => JSON.parse(line), line).not.toThrow();
});

test("A role is allowed its own calls and refused all others by a server that checks signature, action and resource", async () => {
  const topic = alertTopic();
  const [table = "", bucket = ""] = ["DynamoDB::Table", "S3::Bucket"].map(
    (type) => physical(`AWS::${type}`)[0],
  );
  const places = { endpoint: aws.endpoint, table, bucket, topic };
  for (const [name, identity] of identities)
    for (const { who, deed, send } of listDeeds(identity, places))
      expect(await isDone(send), `${name}: ${deed}`).toBe(who.includes(name));
  console.log(
    "moto looks at no conditions: that metrics stay in their namespace is judged from the calls made",
  );
});

test("A user who may read the key probes with it, and another gets the reason why not", async () => {
  const probe = (name: string) =>
    run(process.execPath, ["bin/v1watch.ts", "probe", "--allow-loopback", "--endpoint", "passport-list"], {
      ...settings,
      ...identities.get(name)?.credentials,
    });
  const [allowed, refused] = await Promise.all([probe("probe-passport"), probe("assess")]);
  expect(allowed.output).toMatch(/key …6789 · 2 requests/);
  expect(refused.output).toMatch(/AWS denied access\. Request ssm:GetParameter/);
  expect(refused.code).toBe(2);
  for (const { output } of [allowed, refused]) expect(output).not.toContain(apiKey);
});

/** What is allowed, and asked for by AWS in the role's name or only when something went wrong. */
const unseen: Record<string, string> = {
  "logs:CreateLogStream": "Lambda writes the log itself",
  "logs:PutLogEvents": "Lambda writes the log itself",
  "sqs:SendMessage": "Lambda itself puts away the event of a run that failed",
  "kms:Decrypt": "SNS asks in the publisher's name",
  "kms:GenerateDataKey": "SNS asks in the publisher's name",
};

test("No call was refused, every call is allowed, and every allowed call was needed", () => {
  const needless: string[] = [];
  for (const [name, { statements }] of identities) {
    const calls = recorders.get(name)?.calls ?? [];
    expect(calls.length).toBeGreaterThan(0);
    expect(
      calls.filter(({ status }) => status === 403),
      name,
    ).toEqual([]);
    for (const call of calls) expect(allows(statements, call), `${name}: ${JSON.stringify(call)}`).toBe(true);
    for (const one of splitStatements(statements)) {
      const isMade = calls.some((call) => allows([one], call));
      if (isMade === String(one.Action) in unseen) needless.push(`${name}: ${one.Action} ${one.Resource}`);
    }
  }
  expect(needless).toEqual([]);
  const context = { "cloudwatch:namespace": "Another" };
  for (const [name, { statements }] of identities)
    expect(allows(statements, { action: "cloudwatch:PutMetricData", resource: "*", context }), name).toBe(
      false,
    );
});

test("v1watch aws destroy leaves nothing behind when asked to", async () => {
  await aws.enforceAccess(false);
  const { code, output } = await run(
    process.execPath,
    ["bin/v1watch.ts", "aws", "destroy", "--yes"],
    settings,
  );
  expect(code, output).toBe(0);
  expect(await aws.cli("dynamodb", "list-tables")).toEqual({ TableNames: [] });
  expect(await aws.cli("lambda", "list-functions")).toEqual({ Functions: [] });
  const { Buckets } = (await aws.cli("s3api", "list-buckets")) as { Buckets: { Name: string }[] };
  expect(Buckets.map(({ Name }) => Name)).toEqual([expect.stringContaining("cdk-")]);
});
