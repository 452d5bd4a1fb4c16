// npm run build: the package as it is installed, in dist. Its folders are those of the checkout, so that a path
// from one file to another is the same in both; only the handlers are added. `npm run package` packs it.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleInto, functionNames } from "./lib/stack/bundle.ts";

const root = import.meta.dirname;
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
const tsc = join(root, "node_modules", ".bin", "tsc");
const { status } = spawnSync(tsc, ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
for (const name of functionNames) bundleInto(join(dist, "handlers", name), name);
// Also what the documents link to, so that every link of the package resolves.
for (const name of ["web", "schemas", "docs", "deploy", "examples"])
  cpSync(join(root, name), join(dist, name), { recursive: true, filter: isInstalled });
// Copied into a project, the example names the schema of the installed package; in a checkout that of the checkout.
const example = join(dist, "docs/aws/deploy.example.json");
writeFileSync(
  example,
  readFileSync(example, "utf8").replace('"./schemas/', '"./node_modules/v1watch/schemas/'),
);
for (const name of readdirSync(root).filter((file) => file === "LICENSE" || file.endsWith(".md")))
  cpSync(join(root, name), join(dist, name));

/** Not what somebody who tries an example leaves in its folder. */
function isInstalled(path: string): boolean {
  return !/(?:^|\/)(?:node_modules|cdk\.out)$|\.tgz$/.test(path.slice(root.length));
}

/** Of the types only those of the constructs are exported; the others would take a megabyte. */
function pruneTypes() {
  const needed = new Set<string>();
  const visit = (file: string) => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/["'](\.{1,2}\/[^"']+)\.[jt]s["']/g))
      visit(`${join(dirname(file), path)}.d.ts`);
  };
  visit(join(dist, "lib", "stack", "v1-watch.d.ts"));
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts") && !needed.has(join(dist, name))) rmSync(join(dist, name));
}
pruneTypes();

/**
 * Without what only a checkout needs: scripts, tools, the Node that `npm ci` brings along, and the lock against publishing a
 * checkout in place of this folder. (npm would not run a script that prevents it: see .npmrc.)
 */
function trimManifest() {
  const checkout = readFileSync(join(root, "package.json"), "utf8");
  const {
    private: _lock,
    scripts,
    devDependencies,
    overrides,
    allowScripts,
    optionalDependencies,
    ...manifest
  } = JSON.parse(checkout.replaceAll('"./dist/', '"./').replaceAll('"dist/', '"'));
  const isGrammar = ([name]: [string, unknown]) => name.startsWith("@ast-grep/");
  const optional = Object.fromEntries(Object.entries(optionalDependencies as object).filter(isGrammar));
  return { ...manifest, optionalDependencies: optional };
}
writeFileSync(join(dist, "package.json"), `${JSON.stringify(trimManifest(), null, 2)}\n`);
