// v1watch aws synth, deploy and destroy: run the CDK CLI after checking the configuration and the account.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, extname, join, resolve } from "node:path";
import { errorName } from "../aws/clients.ts";
import {
  type Config,
  configFileName,
  durationMs,
  findExampleMistakes,
  mistakesText,
  printable,
} from "../config/config.ts";
import { minuteMs } from "../time.ts";
import { defineCommand, exitCodes, flag, type Io, UsageError, type Values } from "./command.ts";
import { describeDrill, sendDrill } from "./deploy-drill.ts";
import { print } from "./layout.ts";
import { loadConfig } from "./load-config.ts";
import { explainNoKey, withRemedy } from "./remedies.ts";
import { config as configOption } from "./shared-options.ts";

const options = { config: configOption };
type StackValues = Values<typeof options>;

const qualifierContext = "@aws-cdk/core:bootstrapQualifier";
const defaultQualifier = "hnb659fds";

/** The context of cdk.json in the current folder comes before the configuration. */
async function findQualifier({ bootstrapQualifier }: Config["aws"]): Promise<string> {
  type Settings = { context?: Record<string, unknown> };
  const { context = {} }: Settings = await readFile("cdk.json", "utf8")
    .then(JSON.parse)
    .catch(() => ({}));
  return String(context[qualifierContext] ?? bootstrapQualifier ?? defaultQualifier);
}

const denied = (error: Error) => /^AccessDenied/.test(error.name);

/** Undefined if AWS denies the check: a user who may only assume the CDK's roles can still deploy. */
async function check<T>(
  what: string,
  action: string,
  io: Io,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const allow = "sts:AssumeRole on the role of the profile";
  return withRemedy("the account cannot be used", { allow }, () =>
    work().catch((error: Error) => {
      if (!denied(error)) throw error;
      io.err(`v1watch: could not check ${what}: AWS denied ${action}. Continuing.\n`);
      return undefined;
    }),
  );
}

/** It also proves that the credentials work, which is all that a diff needs. */
async function checkBootstrap({ aws }: Config, io: Io, isRequired = true): Promise<void> {
  const { bootstrapParameter, readParameter } = await import("../aws/account.ts");
  const qualifier = await findQualifier(aws);
  const parameter = bootstrapParameter(qualifier);
  const isBootstrapped = await check(
    "whether the account is bootstrapped",
    `ssm:GetParameter on ${parameter}`,
    io,
    async () => (await readParameter(parameter, aws.region)) !== undefined,
  );
  const option = qualifier === defaultQualifier ? "" : ` --qualifier ${qualifier}`;
  if (isBootstrapped === false && isRequired)
    throw new UsageError(
      `the account is not bootstrapped for the CDK in this region. Run once per account and region: npx cdk bootstrap${option}`,
    );
}

async function checkKey({ key, aws }: Config, io: Io): Promise<void> {
  if (key === "none" || !("ssm" in key || "secret" in key)) return;
  const { hasSecret, readParameter } = await import("../aws/account.ts");
  const action = "ssm" in key ? "ssm:GetParameter" : "secretsmanager:DescribeSecret";
  const name = "ssm" in key ? key.ssm : key.secret;
  const isThere = await check("whether the API key exists", `${action} on ${name}`, io, async () =>
    "ssm" in key ? (await readParameter(key.ssm, aws.region)) !== undefined : hasSecret(name, aws.region),
  );
  if (isThere === false) throw new UsageError(explainNoKey(key, "ParameterNotFound"));
}

async function checkTable({ aws }: Config, io: Io): Promise<void> {
  const { existingTableName: name, region } = aws;
  if (name === undefined) return;
  const { findTableDifferences } = await import("../aws/account.ts");
  const found = await check("the existing table", `dynamodb:DescribeTable on ${name}`, io, async () => ({
    differences: await findTableDifferences(name, region),
  }));
  if (!found) return;
  const { differences } = found;
  if (differences === undefined)
    throw new UsageError(
      `aws.existingTableName: there is no table ${name} in this account and region. Correct the name, or remove the setting to create a table.`,
    );
  if (differences.length > 0)
    throw new UsageError(
      `aws.existingTableName: the table ${name} is not a table of v1watch: ${differences.join("; ")}. Name another, or remove the setting to create a table.`,
    );
}

/** CloudFormation does not delete a bucket that contains objects. */
async function emptyReportsBucket({ stackName, region }: Config["aws"]): Promise<void> {
  const [{ readParameter }, { emptyBucket }] = await Promise.all([
    import("../aws/account.ts"),
    import("../aws/reports.ts"),
  ]);
  const parameter = `/v1watch/${stackName}/reports-bucket`;
  const bucket = await withRemedy(
    "the reports bucket cannot be emptied",
    { allow: `ssm:GetParameter on ${parameter}` },
    () => readParameter(parameter, region),
  );
  if (bucket === undefined) return;
  await withRemedy(
    `the bucket ${bucket} cannot be emptied`,
    { allow: "s3:ListBucketVersions on it, and s3:DeleteObject and s3:DeleteObjectVersion on its objects" },
    () => emptyBucket(bucket, region),
  );
}

const root = join(import.meta.dirname, "..", "..");

/** In the checkout, or in the folder that v1watch or the current project is installed in. */
function findCdk(): string {
  for (const start of [import.meta.dirname, process.cwd()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const cdk = join(folder, "node_modules", ".bin", "cdk");
      if (existsSync(cdk)) return cdk;
      if (folder === dirname(folder)) break;
    }
  }
  throw new UsageError(
    "the CDK CLI is not installed. Install it: npm install --save-dev aws-cdk aws-cdk-lib constructs",
  );
}

async function runCdk(args: string[], values: StackValues, io: Io): Promise<number> {
  // The file is .ts in a checkout and .js in an installed package. The checkout's own cdk.json names it.
  const app = join(root, "bin", `app${extname(import.meta.filename)}`);
  const isInCheckout = process.cwd() === root;
  // Without quotes around the first word: the CLI would take them off both ends of the text.
  const named = isInCheckout ? [] : ["--app", `node "${app}"`];
  const env = { ...io.env };
  // The app runs on the same Node as this process.
  if (!isInCheckout) env.PATH = [dirname(process.execPath), io.env.PATH].join(delimiter);
  if (values.config !== undefined) env.V1WATCH_CONFIG = resolve(values.config);
  const child = spawn(findCdk(), [...args, ...named], { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  return code === 0 ? exitCodes.success : exitCodes.internalError;
}

const synth = defineCommand({
  summary: "print the cost and write the template, without an account",
  description:
    "Checks the configuration, prints the requests and the cost per month, and writes the template to cdk.out. Without a configuration it takes docs/aws/deploy.example.json.",
  options,
  notes: ["Example: v1watch aws synth --config prod.config.json"],
  async run(values, _positionals, io) {
    const isConfigured =
      values.config !== undefined ||
      io.env.V1WATCH_CONFIG ||
      io.env.V1WATCH_BASE_URL ||
      existsSync(configFileName);
    if (isConfigured) await loadConfig(values, io);
    return runCdk(["synth", "--quiet"], values, io);
  },
});

const deploy = defineCommand({
  summary: "deploy the watch",
  description:
    "Checks the configuration, the credentials, the CDK bootstrap of the account, the API key and the existing table, then runs cdk deploy. First it prints the requests and the cost per month. It asks before it broadens permissions. Then it sends a test alert, waits until the assessment has sent it, and says when nobody accepted it. It ends with the subscriptions that you still have to confirm.",
  options: {
    yes: flag("do not ask for approval"),
    diff: flag("show the changes without deploying"),
    quiet: flag("send no test alert after the deployment"),
    ...options,
  },
  notes: ["Example: v1watch aws deploy"],
  async run(values, _positionals, io) {
    const { config } = await loadConfig(values, io);
    const examples = values.diff ? [] : findExampleMistakes(config);
    if (examples.length > 0) throw new UsageError(mistakesText(examples));
    await checkBootstrap(config, io, !values.diff);
    if (values.diff) return runCdk(["diff"], values, io);
    await checkKey(config, io);
    await checkTable(config, io);
    const approval = ["--require-approval", values.yes ? "never" : "broadening"];
    return withOutputs(async (file) => {
      const code = await runCdk(["deploy", ...approval, "--outputs-file", file], values, io);
      const outputs = code === exitCodes.success ? await readOutputs(file) : [];
      if (config.aws.enabled && !values.quiet)
        for (const { TableName, TopicArn } of outputs)
          if (TableName && TopicArn) print(io, await drill(config, TableName, TopicArn, io));
      const topicArns = outputs.flatMap(({ TopicArn, WatchTopicArn }) =>
        [TopicArn, WatchTopicArn].filter((arn) => arn !== undefined),
      );
      if (topicArns.length > 0) print(io, await listUnconfirmed(topicArns));
      return code;
    });
  },
});

const destroy = defineCommand({
  summary: "remove the watch",
  description:
    'Deletes the stack. With aws.removal "keep" (the default), the table, the reports and the logs stay. With "destroy", nothing stays; deploy that setting first.',
  options: { yes: flag("do not ask for confirmation"), ...options },
  notes: ["Example: v1watch aws destroy"],
  async run(values, _positionals, io) {
    // A watch that costs too much can still be removed.
    const { config } = await loadConfig(values, io, { ignoreBudget: true });
    await checkBootstrap(config, io);
    if (config.aws.removal === "destroy") {
      if (!values.yes)
        throw new UsageError('aws.removal is "destroy": all reports will be deleted. Confirm with --yes.');
      await emptyReportsBucket(config.aws);
    }
    return runCdk(["destroy", ...(values.yes ? ["--force"] : [])], values, io);
  },
});

export const aws = defineCommand({
  description: "The same watch as scheduled Lambda functions in your AWS account.",
  notes: ["Example: v1watch aws synth"],
  commands: { synth, deploy, destroy },
});

// The last lines of a deployment: the subscriptions that still have to be confirmed.
/** Runs with the name of a file for the stack's outputs, and removes the file. */
async function withOutputs<T>(run: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "v1watch-outputs-"));
  try {
    return await run(join(folder, "outputs.json"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Outputs = { TopicArn?: string; WatchTopicArn?: string; TableName?: string };

/** Of each stack; none where the CDK wrote no outputs. */
async function readOutputs(file: string): Promise<Outputs[]> {
  const text = await readFile(file, "utf8").catch(() => "{}");
  return Object.values(JSON.parse(text) as Record<string, Outputs>);
}

/** A run of the assessment, and the time that a first start takes. */
const startMs = 2 * minuteMs;
const askEveryMs = 5_000;

/** The stack is deployed already, so a test alert that cannot be followed is no failure. */
async function drill({ aws }: Config, table: string, topicArn: string, io: Io): Promise<string> {
  const [{ createOutbox }, { listSubscriptions }] = await Promise.all([
    import("../aws/outbox.ts"),
    import("../aws/sns.ts"),
  ]);
  io.err(`v1watch: a test alert goes out with the next assessment, within ${aws.assessEvery}. Waiting …\n`);
  const untilMs = Date.now() + durationMs(aws.assessEvery) + startMs;
  try {
    const outbox = createOutbox({ tableName: table, region: aws.region, retentionDays: aws.retentionDays });
    const outcome = await sendDrill(outbox, { untilMs, everyMs: askEveryMs });
    const found = await listSubscriptions(topicArn).catch(() => undefined);
    const confirmed = found?.filter(({ isConfirmed }) => isConfirmed).length;
    return describeDrill(outcome, { confirmed, table });
  } catch (error) {
    return describeDrill({ kind: "not-stored", why: errorName(error) }, { confirmed: undefined, table });
  }
}

/** One line each. The stack is deployed already, so a list that AWS does not give is no failure. */
async function listUnconfirmed(topicArns: readonly string[]): Promise<string> {
  const { listSubscriptions } = await import("../aws/sns.ts");
  try {
    const found = (await Promise.all(topicArns.map((arn) => listSubscriptions(arn)))).flat();
    if (found.length === 0) return "The topics have no subscriptions: alerts reach nobody.\n";
    const unconfirmed = found.filter(({ isConfirmed }) => !isConfirmed);
    if (unconfirmed.length === 0) return "All subscriptions are confirmed.\n";
    const rows = unconfirmed.map(
      ({ protocol, endpoint }) => `  ${protocol.padEnd(6)} ${printable(endpoint)}\n`,
    );
    return `Still to be confirmed, with the link in each message from AWS Notifications:\n${rows.join("")}`;
  } catch (error) {
    return `The subscriptions were not checked: ${errorName(error)}. Ask for sns:ListSubscriptionsByTopic on ${topicArns.join(", ")}.\n`;
  }
}
