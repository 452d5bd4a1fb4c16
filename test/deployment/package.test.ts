// The package as somebody installs it: packed, installed into an empty folder, run, and used by the example app.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "..", "..");

async function runIn(cwd: string, command: string, args: string[]) {
  const child = spawn(command, args, { cwd });
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => parts.push(String(data)));
  const [code] = await once(child, "close");
  return { code: code as number, output: parts.join("") };
}

let folder = "";
const at = (name: string) => join(folder, name);
const installedAt = (name: string) => join(folder, "node_modules", "v1watch", name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "v1watch-package-"));
  await cp(join(root, "examples", "cdk-app"), folder, { recursive: true });
  await cp(inject("packed"), at("v1watch.tgz"));
  const installed = await runIn(folder, "npm", ["install", "--no-audit", "--no-fund"]);
  expect(installed.code, installed.output).toBe(0);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("The package has the parts that docs/develop/releasing.md lists, and no others", async () => {
  const releasing = await readFile(join(root, "docs/develop/releasing.md"), "utf8");
  const listed = [...releasing.matchAll(/^\| `([^`]+?)\/?`(?:, `([^`]+?)\/?`)* \|/gm)].flatMap(([row]) =>
    [...row.matchAll(/`([^`]+?)\/?`/g)].map(([, name]) => name!),
  );
  expect((await readdir(installedAt("."))).sort()).toEqual(listed.sort());
});

test("Every relative link of the package's documents leads to a file of the package", async () => {
  const names = await readdir(installedAt("."), { recursive: true });
  const documents = names.filter((name) => name.endsWith(".md") && !name.startsWith("node_modules"));
  const dead: string[] = [];
  for (const name of documents) {
    const text = await readFile(installedAt(name), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      if (!existsSync(resolve(installedAt(name), "..", target))) dead.push(`${name}: ${target}`);
  }
  expect(documents.length).toBeGreaterThan(15);
  expect(dead).toEqual([]);
});

test("`npm publish` would publish the package, and not a checkout", async () => {
  const published = await runIn(folder, "npm", ["publish", "--dry-run", "./v1watch.tgz"]);
  expect(published.output).toContain(`+ v1watch@${packageFile.version}`);
  expect(published.code, published.output).toBe(0);
  expect(JSON.parse(await readFile(installedAt("package.json"), "utf8"))).not.toHaveProperty("private");
  // npm refuses a private package, though not in a dry run.
  expect(packageFile.private).toBe(true);
});

test("The command line prints its help and makes one cycle against the simulator", async () => {
  const help = await runIn(folder, "npx", ["v1watch", "--help"]);
  expect(help.output).toMatch(/\n +up +/);
  expect(help.code).toBe(0);
  // Apart from the example's configuration, so that it starts the simulator.
  const empty = at("empty");
  await mkdir(empty);
  const cycle = await runIn(empty, "npx", ["v1watch", "up", "--once"]);
  expect(cycle.output).toMatch(/passport-credentials +ok/);
  expect(cycle.code, cycle.output).toBe(0);
});

test("A starter mapping names the schema of the installed package", async () => {
  const { code, output } = await runIn(folder, "npx", ["v1watch", "migrate", "init"]);
  expect(code, output).toBe(0);
  const { $schema } = JSON.parse(await readFile(at("v1watch.mapping.json"), "utf8"));
  expect(JSON.parse(await readFile(at($schema), "utf8")).properties).toHaveProperty("behaviours");
});

test("The example for AWS names the schema of the installed package where it is copied to", async () => {
  const { $schema } = JSON.parse(await readFile(installedAt("docs/aws/deploy.example.json"), "utf8"));
  expect(JSON.parse(await readFile(at($schema), "utf8")).properties).toHaveProperty("baseUrl");
});

test("The example app synthesises both environments with the bundles of the package, without esbuild", async () => {
  expect(await readdir(at("node_modules"))).not.toContain("esbuild");
  const { code, output } = await runIn(folder, "npm", ["run", "synth"]);
  expect(code, output).toBe(0);
  const handler = await readFile(installedAt("handlers/probe/index.mjs"), "utf8");
  const assets = (await readdir(at("cdk.out"))).filter((name) => name.startsWith("asset."));
  const bundles = await Promise.all(
    assets.map((name) => readFile(join(at("cdk.out"), name, "index.mjs"), "utf8")),
  );
  expect(bundles).toHaveLength(3);
  expect(bundles).toContain(handler);
  for (const name of ["dev", "prod"])
    expect((await readdir(at(`cdk.out/assembly-${name}`))).join()).toContain(".template.json");
});

test("The command line synthesises its own stack where the CDK is installed", async () => {
  const { code, output } = await runIn(folder, "npx", ["v1watch", "aws", "synth"]);
  expect(output).toMatch(/in all +\$/);
  expect(code, output).toBe(0);
  expect(await readdir(at("cdk.out"))).toContain("v1watch.template.json");
});

/** A stack of somebody who has topics, a bucket and a key already, and alarms and a dashboard of their own. */
const platformStack = `
import * as cdk from 'aws-cdk-lib/core';
import { Dashboard, GraphWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { V1Watch } from 'v1watch/cdk';

export class PlatformStack extends cdk.Stack {
  constructor(scope: Construct, id: string, props?: cdk.StackProps) {
    super(scope, id, props);
    const key = new Key(this, 'Key');
    const watch = new V1Watch(this, 'Watch', {
      config: {
        baseUrl: 'https://v1.acme.test',
        key: { ssm: '/v1watch/key' },
        aws: { logRetentionDays: 14, enabled: false },
      },
      topic: new Topic(this, 'Alerts', { masterKey: key }),
      bucket: new Bucket(this, 'Reports'),
      encryptionKey: key,
      alarmActions: [new SnsAction(new Topic(this, 'OnCall'))],
    });
    watch.allowAlarms(key);
    watch
      .metricUnauthorizedRate({ endpoint: 'passport' })
      .createAlarm(this, 'TooMany401s', { threshold: 0.1, evaluationPeriods: 1 })
      .addAlarmAction(new SnsAction(watch.watchTopic));
    new Dashboard(this, 'Own').addWidgets(
      new GraphWidget({ left: [watch.metricFailureRate(), watch.metricRecordAge({ period: cdk.Duration.hours(6) })] }),
    );
    watch.grantRead(new Role(this, 'Reader', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }));
    watch.functions.assess.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: ['*'] }));
  }
}
`;

test("An app of cdk init on the lowest supported version of the CDK compiles and synthesises", async () => {
  const place = at("platform");
  await mkdir(place);
  const { peerDependencies } = JSON.parse(await readFile(installedAt("package.json"), "utf8"));
  const lowest = String(peerDependencies["aws-cdk-lib"]).replace("^", "");
  const cdk = at("node_modules/.bin/cdk");
  const made = await runIn(place, cdk, ["init", "app", "--language", "typescript", "--generate-only"]);
  expect(made.code, made.output).toBe(0);
  const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  // Without the runner of its tests, which is most of what would be installed.
  for (const name of ["jest", "@swc/core", "@swc/jest"]) delete manifest.devDependencies[name];
  manifest.dependencies = {
    "aws-cdk-lib": lowest,
    constructs: manifest.dependencies.constructs,
    v1watch: "file:../v1watch.tgz",
  };
  await rm(join(place, "test"), { recursive: true });
  await writeFile(join(place, "package.json"), JSON.stringify(manifest));
  await writeFile(join(place, "lib", "platform-stack.ts"), platformStack);
  const installed = await runIn(place, "npm", ["install", "--no-audit", "--no-fund"]);
  expect(installed.code, installed.output).toBe(0);
  // Its cdk.json compiles first.
  const synth = await runIn(place, "npx", ["cdk", "synth", "--quiet"]);
  expect(synth.code, synth.output).toBe(0);
  const template = await readFile(join(place, "cdk.out", "PlatformStack.template.json"), "utf8");
  const { Resources } = JSON.parse(template) as {
    Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
  };
  const ofType = (type: string) =>
    Object.values(Resources)
      .filter(({ Type }) => Type === type)
      .map(({ Properties }) => Properties);
  // Theirs, and the one for the alarms of the watch.
  expect(ofType("AWS::SNS::Topic")).toHaveLength(3);
  expect(ofType("AWS::S3::Bucket")).toHaveLength(1);
  expect(ofType("AWS::KMS::Key")).toHaveLength(1);
  for (const { State } of ofType("AWS::Scheduler::Schedule")) expect(State).toBe("DISABLED");
  for (const { RetentionInDays } of ofType("AWS::Logs::LogGroup")) expect(RetentionInDays).toBe(14);
  expect(template).toMatch(/"AlarmActions": \[[^\]]*"OnCall/);
});

/** Most apps with an older CDK have version 2, which reads metadata and not what the CDK's validations know. */
const nagged = `
import { App, Aspects } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { V1WatchStack } from 'v1watch/cdk';
const app = new App();
const config = { baseUrl: 'https://v1.acme.test', key: { ssm: '/v1watch/key' } };
new V1WatchStack(app, 'v1watch', { config });
Aspects.of(app).add(new AwsSolutionsChecks());
const errors = app.synth().stacks[0].messages.filter(({ level }) => level === 'error');
console.log(JSON.stringify(errors.map(({ id, entry }) => id + ' ' + entry.data)));
`;

test("cdk-nag 2 finds no error on the lowest supported version of the CDK", async () => {
  const place = at("platform");
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  const installed = await runIn(place, "npm", ["install", ...options, "cdk-nag@2.37.55"]);
  expect(installed.code, installed.output).toBe(0);
  await writeFile(join(place, "nag.mjs"), nagged);
  const { code, output } = await runIn(place, process.execPath, ["nag.mjs"]);
  expect(code, output).toBe(0);
  expect(output.split("\n").filter((line) => line.startsWith("["))).toEqual(["[]"]);
});

test("A CommonJS app can require the construct", async () => {
  const script =
    'const { V1Watch, V1WatchStack } = require("v1watch/cdk"); console.log(V1Watch.name, V1WatchStack.name)';
  const { output } = await runIn(folder, process.execPath, ["--input-type=commonjs", "-e", script]);
  expect(output).toContain("V1Watch V1WatchStack");
});

test("v1watch up serves its page, uses less than 100 MiB, and stops on SIGTERM", async () => {
  const place = at("running");
  await mkdir(place);
  const child = spawn(at("node_modules/.bin/v1watch"), ["up", "--port", "0"], { cwd: place });
  let output = "";
  child.stdout.on("data", (data) => {
    output += String(data);
  });
  const findPage = () => /^dashboard (http:\S+)\/$/m.exec(output)?.[1];
  await expect.poll(findPage, { timeout: 600_000 }).toBeDefined();
  const statusOf = async (path: string) => (await fetch(`${findPage()}${path}`)).status;
  expect(await statusOf("/livez")).toBe(200);
  // Until the first checks V1 is unknown.
  await expect.poll(() => statusOf("/healthz"), { timeout: 600_000 }).toBe(200);
  // A few checks, and the young generation of the heap has its size.
  await expect
    .poll(() => output.match(/passport-credentials/g)?.length ?? 0, { timeout: 600_000 })
    .toBeGreaterThan(3);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, "utf8")) ?? [];
  expect(Number(kilobytes) / 1_024).toBeLessThan(100);
  child.kill("SIGTERM");
  const [code] = await once(child, "close");
  expect(code, output).toBe(0);
});

test("Without the optional parts the package takes about 60 MB, prints its version, and scan says what is missing", async () => {
  const small = await mkdtemp(join(tmpdir(), "v1watch-small-"));
  const tarball = at("v1watch.tgz");
  const options = ["--omit=optional", "--omit=peer", "--no-audit", "--no-fund", "--ignore-scripts"];
  const installed = await runIn(small, "npm", ["install", ...options, tarball]);
  expect(installed.code, installed.output).toBe(0);
  const size = await runIn(small, "du", ["-sm", "node_modules"]);
  expect(Number.parseInt(size.output, 10)).toBeLessThanOrEqual(66);
  const program = join(small, "node_modules/.bin/v1watch");
  const version = await runIn(small, program, ["--version"]);
  expect(version).toEqual({ code: 0, output: `v1watch ${packageFile.version}\n` });
  const scan = await runIn(small, program, ["scan", "."]);
  expect(scan.code).toBe(2);
  expect(scan.output).toMatch(
    /^v1watch: scan needs packages that are not installed\. [^\n]+: npm install @ast-grep\/napi [^\n]+\n$/,
  );
  const demo = await runIn(small, program, ["replay", "retirement", "--seconds", "1"]);
  expect(demo.code, demo.output).toBe(0);
  await rm(small, { recursive: true, force: true });
});
