// The API key on one machine: an environment variable or a file. A missing key is an answer, not an error,
// and no message ever holds a part of it.
import { open } from "node:fs/promises";
import type { KeySource } from "../config.ts";
import type { KeyAnswer } from "../ports.ts";

const maxKeyBytes = 4096;

async function readKeyFile(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxKeyBytes), 0, maxKeyBytes, 0);
    return buffer.toString("utf8", 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}

/** `isDefault`: nobody asked for this source, so an empty one means that there is no key at all. */
export async function readKey(
  source: KeySource,
  env: Readonly<Record<string, string | undefined>>,
  isDefault: boolean,
): Promise<KeyAnswer> {
  if (source === "none") return { kind: "none" };
  if ("env" in source) {
    const key = env[source.env]?.trim();
    if (key) return { kind: "key", key };
    return isDefault ? { kind: "none" } : { kind: "no-secret" };
  }
  if ("file" in source) {
    const key = await readKeyFile(source.file).catch(() => "");
    return key ? { kind: "key", key } : { kind: "no-secret" };
  }
  // SSM and Secrets Manager are read by the deployed functions.
  return { kind: "no-secret" };
}
