import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { config } from "./config.js";

/** Remembers the answer of `load` on disk. A failure of `load` is not remembered. */
export async function cached<T>(key: string, load: () => Promise<T>): Promise<T> {
  const file = join(config.cacheDir, createHash("sha1").update(key).digest("hex") + ".json");
  try {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs < config.ttl) return JSON.parse(await readFile(file, "utf8"));
  } catch {
    // not cached yet
  }
  const value = await load();
  await mkdir(config.cacheDir, { recursive: true });
  await writeFile(file, JSON.stringify(value));
  return value;
}
