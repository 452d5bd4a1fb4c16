// A temporary folder for one test file, deleted when its tests end.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
