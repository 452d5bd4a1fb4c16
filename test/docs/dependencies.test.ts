// docs/develop/dependencies.md lists the direct dependencies, with the licences of the lock file, and each is used.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
type Locked = { license?: string; bin?: Record<string, string>; hasInstallScript?: boolean };
const locked = lock.packages as Record<string, Locked>;

const declared = [
  ...Object.keys(manifest.dependencies),
  ...Object.keys(manifest.optionalDependencies),
  ...Object.keys(manifest.devDependencies),
];
const rows = [
  ...read("docs/develop/dependencies.md").matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \| (.+) \|$/gm),
].map(([, name = "", reason = "", size = "", licence = ""]) => ({ name, reason, size, licence }));

test("Every direct dependency has a row with its reason, size and licence, and no other package has one", () => {
  expect(rows.map(({ name }) => name)).toEqual(declared);
  for (const { name, reason, size, licence } of rows) {
    expect(reason.length, name).toBeGreaterThan(4);
    expect(size, name).toMatch(/^(?:under 1|\d+)$/);
    expect({ name, licence }).toEqual({ name, licence: locked[`node_modules/${name}`]?.license });
  }
});

/** Packages that only configure another one. */
const pinned = new Set(["vite"]);

test("Every direct dependency is imported by a file, is a command that is run, or has the types of one", () => {
  const folders = "{bin,functions,lib,web,test,bench}/**/*.{ts,js}";
  const files = globSync([folders, "*.ts"], {
    cwd: root,
    exclude: ["**/node_modules/**", "test/scan/corpus/**"],
  });
  const sources = files.map((file) => read(file)).join("\n");
  const scripts = Object.values(manifest.scripts).join("\n");
  const unused = declared.filter((name) => {
    const typed = /^@types\/(.+)$/.exec(name)?.[1];
    if (pinned.has(name) || typed === "node" || (typed && declared.includes(typed))) return false;
    const isImported = new RegExp(`["'/]${name}["'/]`).test(sources);
    const commands = Object.keys(locked[`node_modules/${name}`]?.bin ?? {});
    const isRun = commands.some((command) =>
      new RegExp(`(?<![\\w-])${command}(?![\\w-])`).test(scripts + sources),
    );
    return !isImported && !isRun;
  });
  expect(unused).toEqual([]);
});

test("Every package with an install script is declared, and none has to run one", () => {
  const withScripts = Object.entries(locked)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(Object.keys(manifest.allowScripts)).toEqual([...new Set(withScripts)].sort());
  expect(Object.values(manifest.allowScripts).every((isAllowed) => isAllowed === false)).toBe(true);
  expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
});
