// The port of a command that serves, why it cannot be used, and the wait until the command is stopped.

import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer } from "node:net";
import { basename } from "node:path";
import { UsageError } from "./command.ts";

/** Called before a store is created, so that a failed start leaves no files behind. */
export async function checkPort(port: number, host: string): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, host, resolve);
    });
  } catch (error) {
    await refusePort(error, port);
  }
  await new Promise((resolve) => server.close(resolve));
}

/** Throws the error of a server that could not listen, with the remedy where one is known. */
export async function refusePort(error: unknown, port: number): Promise<never> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EACCES")
    throw new UsageError(`permission denied for port ${port}. Choose another one with --port.`);
  if (code === "EADDRNOTAVAIL") throw new UsageError("--host is not an address of this machine");
  if (code !== "EADDRINUSE") throw error;
  const owner = await findPortOwner(port);
  const process = owner ? ` (pid ${owner.pid}, ${owner.name})` : "";
  throw new UsageError(
    `port ${port} is in use${process}. Stop that process, or choose another port with --port.`,
  );
}

/** The code of the TCP state LISTEN in /proc/net/tcp. */
const listening = "0A";

/** The process that listens on a port. Found through /proc, and only if it belongs to the same user. */
async function findPortOwner(port: number): Promise<{ pid: number; name: string } | undefined> {
  try {
    const sockets = await socketsListeningOn(port);
    if (sockets.size === 0) return undefined;
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
      for (const descriptor of descriptors) {
        const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => "");
        if (!sockets.has(target)) continue;
        // /proc/PID/comm is not used because Node writes the name of its main thread there.
        return { pid: Number(pid), name: basename(await readlink(`/proc/${pid}/exe`)) };
      }
    }
  } catch {
    // This system has no /proc.
  }
  return undefined;
}

async function socketsListeningOn(port: number): Promise<Set<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => ""));
  const rows = (await Promise.all(tables)).flatMap((table) => table.split("\n").slice(1));
  const columns = rows.map((row) => row.trim().split(/\s+/));
  return new Set(
    columns
      .filter(([, local, , state]) => local?.endsWith(suffix) && state === listening)
      .map((column) => `socket:[${column[9]}]`),
  );
}

export const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
