// v1watch deploy and v1watch destroy: the CDK's command line, with the questions asked first that it asks late.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { checkAccount, type Readiness, readParameter } from "../aws/account.ts";
import { emptyBucket } from "../aws/bucket.ts";
import { type Config, mistakesText, readConfig } from "../config.ts";
import { type Command, exitCodes, type Io, UsageError } from "./command.ts";
import { accountRemedies } from "./key-remedy.ts";

const remedies: Record<Exclude<Readiness["kind"], "ready">, string> = {
  ...accountRemedies,
  "not-bootstrapped":
    "the account is not bootstrapped for the CDK in this region. Once for each account and region: npx cdk bootstrap",
  refused: "AWS refused the credentials",
};

async function prepare(io: Io): Promise<Config | undefined> {
  const loaded = await readConfig(io.env, {}, { apart: true });
  if (!loaded.ok) {
    io.err(mistakesText(loaded.mistakes));
    return undefined;
  }
  const readiness = await checkAccount(loaded.config.aws.region);
  if (readiness.kind === "ready") return loaded.config;
  const why = readiness.kind === "refused" ? ` (${readiness.why}).` : "";
  throw new UsageError(`${remedies[readiness.kind]}${why}`);
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
  help: `v1watch deploy [--yes]

Checks the configuration, the credentials and the bootstrap of the account, then runs cdk deploy.
Prints the requests and the cost of a month first, and asks before it widens any permission.

  --yes   do not ask

Example:
  v1watch deploy
`,
  options: { yes: { type: "boolean" } },
  async run(values, _positionals, io) {
    const config = await prepare(io);
    if (!config) return exitCodes.usage;
    return runCdk(["deploy", "--require-approval", values.yes ? "never" : "broadening"], io);
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
    const { removal, stackName, region } = config.aws;
    if (removal === "destroy") {
      if (!values.yes) throw new UsageError('aws.removal is "destroy": the reports will be gone. Say --yes.');
      // CloudFormation removes no bucket that holds anything.
      const bucket = await readParameter(`/${stackName}/reports-bucket`, region);
      if (bucket.kind === "found") await emptyBucket(bucket.value);
    }
    return runCdk(["destroy", ...(values.yes ? ["--force"] : [])], io);
  },
};
