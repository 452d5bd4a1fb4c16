// An installation without the optional packages, as npm makes it with --omit=optional.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Hides the packages of the parser from a process. */
const hidden = `import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith("@ast-grep/")) return next(specifier, context);
    throw Object.assign(new Error("not installed"), { code: "ERR_MODULE_NOT_FOUND" });
  },
});`;

test("v1watch scan says what to install where the optional packages were left out", () => {
  const loader = `data:text/javascript,${encodeURIComponent(hidden)}`;
  const args = [join(root, "bin/v1watch.ts"), "scan", join(root, "docs")];
  // The parser works in a process of its own, which has the same environment.
  const env = { ...process.env, NODE_OPTIONS: `--import=${loader}` };
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
  expect(stderr).toContain("npm install @ast-grep/napi @ast-grep/lang-python @ast-grep/lang-go");
  expect(status).toBe(2);
});
