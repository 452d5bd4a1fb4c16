// Reads the API key and the secrets of channels from the environment or a file. A key that cannot be read is `no-secret`, never an exception.
import { constants, open, stat } from "node:fs/promises";
import { type KeySource, type Mistake, type ProxySetting, printable } from "../config/config.ts";
import { findAddressProblem, type SecretSource } from "../config/secret-source.ts";
import type { KeyResult } from "../ports.ts";
import type { Io } from "./command.ts";

const maxFileBytes = 4_096;

export type LocalKeySource = SecretSource | "none";
type Environment = Readonly<Record<string, string | undefined>>;

/** A secret of a channel: one line that may contain spaces. Undefined where it cannot be read. */
export async function readSecret(source: SecretSource, env: Environment): Promise<string | undefined> {
  const text = await readText(source, env);
  return /^[\x20-\x7e]{1,4096}$/.test(text) ? text : undefined;
}

/** Rejects characters that are invalid in a header, because Node would repeat the key in its error message. */
export function createLocalKey(source: LocalKeySource, env: Environment): () => Promise<KeyResult> {
  if (source === "none") return async () => ({ kind: "none" });
  return async () => {
    const key = await readText(source, env);
    return /^[\x21-\x7e]{1,4096}$/.test(key) ? { kind: "key", key } : { kind: "no-secret" };
  };
}

const readText = async (source: SecretSource, env: Environment) =>
  ("env" in source ? env[source.env] : await readSmallFile(source.file))?.trim() ?? "";

/** A file that other users of the machine can read is no place for a secret. */
export async function warnOfOpenFiles(
  sources: readonly (SecretSource | KeySource | ProxySetting | undefined)[],
  io: Pick<Io, "err">,
): Promise<void> {
  for (const source of sources) {
    if (typeof source !== "object" || !("file" in source)) continue;
    const found = await stat(source.file).catch(() => undefined);
    if (found && (found.mode & 0o077) !== 0)
      io.err(
        `v1watch: WARNING: other users can read ${printable(source.file)}, which holds a secret. Run: chmod 600 ${printable(source.file)}\n`,
      );
  }
}

/** The file is read for every request, so that a rotated key needs no restart. */
async function readSmallFile(path: string): Promise<string | undefined> {
  try {
    // Non-blocking, because opening a pipe without a writer would block the probe forever.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return undefined;
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxFileBytes + 1));
      return bytesRead > maxFileBytes ? undefined : buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

const describeSource = (source: SecretSource) =>
  "env" in source ? `the environment variable ${source.env}` : `the file ${source.file}`;

/** The secrets that cannot be read, and those that have to be web addresses and are none. */
export async function findSecretMistakes(
  secrets: readonly { setting: string; source: SecretSource }[],
  path: string,
  read: (source: SecretSource) => Promise<string | undefined>,
): Promise<Mistake[]> {
  const found = await Promise.all(
    secrets.map(async ({ setting, source }) => {
      const secret = await read(source);
      if (secret === undefined)
        return [
          {
            setting,
            problem: `${describeSource(source)} holds no secret.`,
            remedy: "Set it to one line of text.",
          },
        ];
      const problem = /url$/i.test(setting) ? findAddressProblem(secret) : undefined;
      return problem
        ? [{ setting, problem: `${describeSource(source)} ${problem.problem}`, remedy: problem.remedy }]
        : [];
    }),
  );
  return found.flat().map(({ setting, ...rest }) => ({ path: `${path}.${setting}`, ...rest }));
}
