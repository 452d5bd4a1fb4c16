// npm run build: the package as it is installed, in dist. Its folders are those of the checkout, so that a path
// from one file to another is the same in both; only the handlers are added.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundleInto } from "./lib/stack/bundle.ts";

const root = import.meta.dirname;
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
const tsc = join(root, "node_modules", ".bin", "tsc");
const { status } = spawnSync(tsc, ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
for (const name of ["probe", "assess", "report"] as const) bundleInto(join(dist, "handlers", name), name);
for (const name of ["web", "schemas"]) cpSync(join(root, name), join(dist, name), { recursive: true });
cpSync(join(root, "docs", "deploy.example.json"), join(dist, "docs", "deploy.example.json"));
