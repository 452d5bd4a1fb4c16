// v1watch deploy and v1watch destroy: the CDK's command line, with the questions asked first that it asks late.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Config, mistakesText, readConfig } from "../config/config.ts";
import { type Command, exitCodes, type Io, UsageError } from "./command.ts";
import { withRemedy } from "./remedies.ts";
import { listUnconfirmed, readTopicArn, withOutputs } from "./unconfirmed-subscriptions.ts";

const notBootstrapped =
  "the account is not bootstrapped for the CDK in this region. Once for each account and region: npx cdk bootstrap";

/** Undefined where the configuration has mistakes, which are then said. */
async function prepare(io: Io, { isDiff = false } = {}): Promise<Config | undefined> {
  const loaded = await readConfig(io.env, {}, { perEndpointFunctions: true });
  if (!loaded.ok) {
    io.err(mistakesText(loaded.mistakes));
    return undefined;
  }
  // Only here: it brings the SDK.
  const { bootstrapVersion, readParameter } = await import("../aws/account.ts");
  const allow = "sts:AssumeRole on the role of the profile";
  const version = await withRemedy("the account cannot be used", { allow }, () =>
    readParameter(bootstrapVersion, loaded.config.aws.region).catch((error: Error) => {
      if (error.name !== "AccessDeniedException") throw error;
      // Whoever may only take on the CDK's roles can deploy all the same.
      io.err(
        `v1watch: whether the account is bootstrapped was not checked: AWS does not allow ssm:GetParameter on ${bootstrapVersion}. Going on: the CDK looks by itself.\n`,
      );
      return "unknown";
    }),
  );
  if (version === undefined && !isDiff) throw new UsageError(notBootstrapped);
  return loaded.config;
}

/** CloudFormation removes no bucket that holds anything. */
async function removeReports({ stackName, region }: Config["aws"]): Promise<void> {
  const [{ readParameter }, { emptyBucket }] = await Promise.all([
    import("../aws/account.ts"),
    import("../aws/reports.ts"),
  ]);
  const parameter = `/${stackName}/reports-bucket`;
  const bucket = await withRemedy(
    "the bucket of the reports cannot be emptied",
    { allow: `ssm:GetParameter on ${parameter}` },
    () => readParameter(parameter, region),
  );
  if (bucket === undefined) return;
  await withRemedy(
    `the bucket ${bucket} cannot be emptied`,
    { allow: "s3:ListBucketVersions on it, and s3:DeleteObject and s3:DeleteObjectVersion on what it holds" },
    () => emptyBucket(bucket, region),
  );
}

async function runCdk(args: string[], io: Io): Promise<number> {
  const cdk = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "cdk");
  const child = spawn(cdk, args, { stdio: "inherit", env: { ...io.env } });
  const [code] = await once(child, "exit");
  return code === 0 ? exitCodes.fine : exitCodes.fault;
}

export const deploy: Command = {
  name: "deploy",
  summary: "put the watch into your AWS account",
  help: `v1watch deploy [--yes | --diff]

Checks the configuration, the credentials and the bootstrap of the account, then runs cdk deploy.
Prints the requests and the cost of a month first, and asks before it widens any permission.
Ends with the subscriptions that still have to be confirmed.

  --yes    do not ask
  --diff   deploy nothing: show what would change

Example:
  v1watch deploy
`,
  options: { yes: { type: "boolean" }, diff: { type: "boolean" } },
  async run(values, _positionals, io) {
    const isDiff = values.diff === true;
    const config = await prepare(io, { isDiff });
    if (!config) return exitCodes.usage;
    if (isDiff) return runCdk(["diff"], io);
    const approval = ["--require-approval", values.yes ? "never" : "broadening"];
    return withOutputs(async (file) => {
      const code = await runCdk(["deploy", ...approval, "--outputs-file", file], io);
      const topicArn = code === exitCodes.fine ? await readTopicArn(file) : undefined;
      if (topicArn) io.out(await listUnconfirmed(topicArn));
      return code;
    });
  },
};

export const destroy: Command = {
  name: "destroy",
  summary: "take the watch out of your AWS account",
  help: `v1watch destroy [--yes]

Removes the stack. With aws.removal "keep" (the default) the table, the reports, the logs and the key stay;
with "destroy" (deployed first) nothing stays.

  --yes   do not ask

Example:
  v1watch destroy
`,
  options: { yes: { type: "boolean" } },
  async run(values, _positionals, io) {
    const config = await prepare(io);
    if (!config) return exitCodes.usage;
    if (config.aws.removal === "destroy") {
      if (!values.yes) throw new UsageError('aws.removal is "destroy": the reports will be gone. Say --yes.');
      await removeReports(config.aws);
    }
    return runCdk(["destroy", ...(values.yes ? ["--force"] : [])], io);
  },
};
