// Keeps what a release deploys, in test/fixtures/templates, for upgrade.test.ts: a step of docs/develop/releasing.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { forms, readDeployed } from "./deployed.ts";
import { createTestApp } from "./synthesis.ts";

const file = join(import.meta.dirname, "..", "fixtures", "templates", `${packageFile.version}.json`);
const deployed = Object.fromEntries(
  Object.keys(forms).map((form) => [form, readDeployed(createTestApp(), form)]),
);
writeFileSync(file, `${JSON.stringify(deployed, null, 2)}\n`);
console.log(file);
