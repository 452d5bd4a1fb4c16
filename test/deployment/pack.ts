// Builds the package once for all test files that install it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import packageFile from "../../package.json" with { type: "json" };

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the package as `npm run package` makes it. */
    packed: string;
  }
}

export default function pack(project: TestProject): () => void {
  const root = join(import.meta.dirname, "..", "..");
  const folder = mkdtempSync(join(tmpdir(), "v1watch-packed-"));
  const npm = (...args: string[]) => execFileSync("npm", args, { cwd: root, stdio: "pipe" });
  npm("run", "-s", "build");
  npm("pack", "./dist", "--pack-destination", folder);
  project.provide("packed", join(folder, `v1watch-${packageFile.version}.tgz`));
  return () => rmSync(folder, { recursive: true });
}
