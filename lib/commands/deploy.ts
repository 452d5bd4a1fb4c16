// v1watch deploy and v1watch destroy: run the CDK CLI after checking configuration, credentials and bootstrap.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Config, mistakesText, readConfig } from "../config/config.ts";
import { type Command, exitCodes, type Io, UsageError } from "./command.ts";
import { withRemedy } from "./remedies.ts";
import { listUnconfirmed, readTopicArn, withOutputs } from "./unconfirmed-subscriptions.ts";

const notBootstrapped =
  "the account is not bootstrapped for the CDK in this region. Run once per account and region: npx cdk bootstrap";

/** Undefined if the configuration has errors, which are printed. */
async function checkAccount(io: Io, { isDiff = false } = {}): Promise<Config | undefined> {
  const loaded = await readConfig(io.env, {});
  if (!loaded.ok) {
    io.err(mistakesText(loaded.mistakes));
    return undefined;
  }
  // Imported on demand because this loads the AWS SDK.
  const { bootstrapVersion, readParameter } = await import("../aws/account.ts");
  const allow = "sts:AssumeRole on the role of the profile";
  const version = await withRemedy("the account cannot be used", { allow }, () =>
    readParameter(bootstrapVersion, loaded.config.aws.region).catch((error: Error) => {
      if (error.name !== "AccessDeniedException") throw error;
      // A user who may only assume the CDK's roles can still deploy.
      io.err(
        `v1watch: could not check whether the account is bootstrapped: AWS denied ssm:GetParameter on ${bootstrapVersion}. Continuing: the CDK checks it as well.\n`,
      );
      return "unknown";
    }),
  );
  if (version === undefined && !isDiff) throw new UsageError(notBootstrapped);
  return loaded.config;
}

/** CloudFormation does not delete a bucket that contains objects. */
async function emptyReportsBucket({ stackName, region }: Config["aws"]): Promise<void> {
  const [{ readParameter }, { emptyBucket }] = await Promise.all([
    import("../aws/account.ts"),
    import("../aws/reports.ts"),
  ]);
  const parameter = `/${stackName}/reports-bucket`;
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

async function runCdk(args: string[], io: Io): Promise<number> {
  const cdk = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "cdk");
  const child = spawn(cdk, args, { stdio: "inherit", env: { ...io.env } });
  const [code] = await once(child, "exit");
  return code === 0 ? exitCodes.success : exitCodes.internalError;
}

export const deploy: Command = {
  name: "deploy",
  summary: "deploy the watch to your AWS account",
  help: `v1watch deploy [--yes | --diff]

Checks the configuration, the credentials and the CDK bootstrap of the account, then runs cdk deploy.
Prints the requests and the cost per month first, and asks for approval before permissions are broadened.
Ends with the subscriptions that still have to be confirmed.

  --yes    do not ask for approval
  --diff   show the changes without deploying

Example:
  v1watch deploy
`,
  options: { yes: { type: "boolean" }, diff: { type: "boolean" } },
  async run(values, _positionals, io) {
    const isDiff = values.diff === true;
    const config = await checkAccount(io, { isDiff });
    if (!config) return exitCodes.usage;
    if (isDiff) return runCdk(["diff"], io);
    const approval = ["--require-approval", values.yes ? "never" : "broadening"];
    return withOutputs(async (file) => {
      const code = await runCdk(["deploy", ...approval, "--outputs-file", file], io);
      const topicArn = code === exitCodes.success ? await readTopicArn(file) : undefined;
      if (topicArn) io.out(await listUnconfirmed(topicArn));
      return code;
    });
  },
};

export const destroy: Command = {
  name: "destroy",
  summary: "remove the watch from your AWS account",
  help: `v1watch destroy [--yes]

Deletes the stack. With aws.removal "keep" (the default), the table, the reports, the logs and the encryption key
are retained. With "destroy", which must be deployed first, nothing is retained.

  --yes   do not ask for confirmation

Example:
  v1watch destroy
`,
  options: { yes: { type: "boolean" } },
  async run(values, _positionals, io) {
    const config = await checkAccount(io);
    if (!config) return exitCodes.usage;
    if (config.aws.removal === "destroy") {
      if (!values.yes)
        throw new UsageError('aws.removal is "destroy": all reports will be deleted. Confirm with --yes.');
      await emptyReportsBucket(config.aws);
    }
    return runCdk(["destroy", ...(values.yes ? ["--force"] : [])], io);
  },
};
