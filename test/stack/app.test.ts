// The CDK app as the CDK starts it, up to the first mistake.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { makeFolder } from "../local/temporary-folder.ts";
import { deployable } from "./configuration.ts";

const folder = makeFolder();
const program = join(import.meta.dirname, "../../bin/app.ts");

async function synthesize(settings: object) {
  writeFileSync(join(folder, "v1watch.config.json"), JSON.stringify(settings));
  const app = spawn(process.execPath, [program], { cwd: folder, env: { PATH: process.env.PATH } });
  const ended = new Promise((resolve) => app.on("close", resolve));
  const said = await text(app.stderr);
  return { code: await ended, said };
}

test("a configuration above aws.maxMonthlyUsd is refused after its cost is printed line by line", async () => {
  const { code, said } = await synthesize({ ...deployable, aws: { maxMonthlyUsd: 1 } });
  expect(code).toBe(2);
  expect(said).toMatch(
    /metric alarms +\$[\s\S]*in all +\$[\s\S]*the configuration has 1 mistake\n +aws\.maxMonthlyUsd/,
  );
});

test("a configuration with mistakes is refused without a cost", async () => {
  const { code, said } = await synthesize({ ...deployable, cadence: "often" });
  expect(code).toBe(2);
  expect(said).toMatch(/^v1watch: the configuration has 1 mistake\n +cadence/);
});
