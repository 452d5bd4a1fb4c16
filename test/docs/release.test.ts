// One version, in package.json: the lock file has it from there, and the changelog begins with it.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };

const root = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const releases = read("CHANGELOG.md").split(/^## /m).slice(1);

test("The newest release of the changelog and the lock file have the version of package.json", () => {
  const newest = releases.find((release) => !release.startsWith("Unreleased"));
  expect(newest?.split(" ")[0]).toBe(packageFile.version);
  expect([lock.version, lock.packages[""].version]).toEqual([packageFile.version, packageFile.version]);
});

test("A release of the changelog has a date and uses the headings of Keep a Changelog", () => {
  const headings = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
  for (const release of releases) {
    const [title = ""] = release.trim().split("\n");
    expect(title).toMatch(/^(?:Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)$/);
    for (const [, heading] of release.matchAll(/^### (.+)$/gm)) expect(headings).toContain(heading);
  }
});

test("No other file names the version", () => {
  const files = globSync(
    [
      "*.md",
      "{.ci,.github,bin,deploy,docs,examples,functions,lib,web}/**/*.{md,ts,js,html,json,yml,service}",
    ],
    { cwd: root, exclude: ["**/node_modules/**", "CHANGELOG.md"] },
  );
  expect(files.length).toBeGreaterThan(300);
  const pattern = new RegExp(`(?<![\\d.])${packageFile.version.replaceAll(".", "\\.")}(?![\\d.])`);
  expect(files.filter((file) => pattern.test(read(file)))).toEqual([]);
});
