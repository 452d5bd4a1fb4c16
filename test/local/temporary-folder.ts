// A folder for one test file, gone when it ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
