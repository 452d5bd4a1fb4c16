// A source tree of a test's own: it is written, scanned and removed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type SuccessorNames, scanConsumers } from "../../lib/scan/index.ts";

export type Files = Readonly<Record<string, string>>;

export function writeFiles(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export async function withTree<T>(files: Files, work: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), "v1watch-tree-"));
  try {
    writeFiles(root, files);
    return await work(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

export const scanFiles = (files: Files, addresses = {}, successor?: SuccessorNames) =>
  withTree(files, async (root) => (await scanConsumers([{ root, as: "" }], { addresses, successor }))!);
