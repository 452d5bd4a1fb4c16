// The CDK app as the CDK starts it, up to the first mistake, and the example of an app of one's own.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { makeFolder } from "../local/temporary-folder.ts";
import { deployable } from "../stack/configuration.ts";

const folder = makeFolder();
const root = join(import.meta.dirname, "..", "..");
const program = join(root, "bin", "app.ts");
const cdk = join(root, "node_modules", ".bin", "cdk");

async function run(command: string, args: string[], cwd = folder, env: Record<string, string> = {}) {
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CDK_VALIDATION: "false",
      CDK_DISABLE_CLI_TELEMETRY: "true",
      ...env,
    },
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, said };
}

function synthesize(settings: object) {
  writeFileSync(join(folder, "v1watch.config.json"), JSON.stringify(settings));
  return run(process.execPath, [program]);
}

/** What cfn-lint calls an error. W3005 is the CDK's own habit to name a dependency that a reference gives as well. */
async function lintErrors(template: string) {
  const args = ["--non-zero-exit-code", "error", "--ignore-checks", "W3005", "--", template];
  const { code, out, said } = await run("cfn-lint", args);
  return code === 0 ? "" : out + said;
}

test("A configuration above aws.maxMonthlyUsd is refused after its cost is printed, and still destroyed", async () => {
  const settings = JSON.stringify({
    ...deployable,
    aws: { maxMonthlyUsd: 1 },
    budget: { monthlyRequests: 10 },
  });
  writeFileSync(join(folder, "v1watch.config.json"), settings);
  const app = ["--no-notices", "--app", `node "${program}"`];
  const synth = await run(cdk, ["synth", "--quiet", ...app]);
  expect(synth.code).toBe(1);
  expect(synth.said).toMatch(/metric alarms +\$[\s\S]*in all +\$[\s\S]*ERROR v1watch: aws\.maxMonthlyUsd/);
  expect(synth.said).toMatch(/ERROR v1watch: cadence\.calm/);
  // It gets as far as the account, which is not there.
  const nobody = { AWS_ENDPOINT_URL: "http://127.0.0.1:9", AWS_REGION: "eu-west-1" };
  const credentials = { AWS_ACCESS_KEY_ID: "x", AWS_SECRET_ACCESS_KEY: "x" };
  const destroy = await run(cdk, ["destroy", "--force", ...app], folder, { ...nobody, ...credentials });
  expect(destroy.said).toMatch(/v1watch: destroying/);
});

test("A configuration with mistakes is refused without a cost", async () => {
  const { code, said } = await synthesize({ ...deployable, cadence: "often" });
  expect(code).toBe(2);
  expect(said).toMatch(/^v1watch: the configuration has 1 mistake\n +cadence/);
});

test("A configuration that AWS would refuse is refused in one line, with the remedy", async () => {
  const { code, said } = await synthesize({ ...deployable, key: { env: "V1WATCH_API_KEY" } });
  expect(code).toBe(2);
  expect(said).toMatch(
    /v1watch: the configuration has 1 mistake\n +key: names the environment .* Use [^\n]+\n$/,
  );
});

test("Without a configuration the example is synthesised, with a notice, and cfn-lint finds no error", async () => {
  const empty = makeFolder();
  const { code, said } = await run(process.execPath, [program], empty, { CDK_OUTDIR: join(empty, "out") });
  expect(code).toBe(0);
  expect(said).toMatch(/^There is no v1watch\.config\.json here: this is the example/);
  expect(readdirSync(join(empty, "out"))).toContain("v1watch-example.template.json");
  expect(await lintErrors(join(empty, "out", "v1watch-example.template.json"))).toBe("");
});

test("The example app has two environments without an error of cfn-lint, and about ten lines", async () => {
  const example = join(root, "examples", "cdk-app");
  expect(readFileSync(join(example, "app.ts"), "utf8").split("\n").length).toBeLessThan(20);
  // In a checkout v1watch/cdk is not installed: it is the source.
  const source = pathToFileURL(join(root, "lib", "stack", "v1-watch.ts")).href;
  const hook = `import { registerHooks } from "node:module"; registerHooks({ resolve: (name, context, next) => next(name === "v1watch/cdk" ? ${JSON.stringify(source)} : name, context) });`;
  const out = join(makeFolder(), "out");
  const loader = `data:text/javascript,${encodeURIComponent(hook)}`;
  const { code, said } = await run(process.execPath, ["--import", loader, "app.ts"], example, {
    CDK_OUTDIR: out,
    CDK_CONTEXT_JSON: JSON.stringify({ "aws:cdk:bundling-stacks": [] }),
  });
  expect(said).toBe("");
  expect(code).toBe(0);
  const files = ["dev", "prod"].map((name) => {
    const assembly = join(out, `assembly-${name}`);
    return join(assembly, readdirSync(assembly).find((each) => each.endsWith(".template.json")) ?? "");
  });
  for (const file of files) expect(await lintErrors(file)).toBe("");
  const templates = files.map((file) => readFileSync(file, "utf8"));
  expect(templates.map((template) => /V1Watch\/(\w+)-v1watch/.exec(template)?.[1])).toEqual(["dev", "prod"]);
  expect(templates.map((template) => template.includes("RetainExceptOnCreate"))).toEqual([false, true]);
});
