// Who listens on a port: known where /proc tells it, and only for processes of the same user.
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";

const listening = "0A";

/** Undefined wherever it cannot be known cheaply. */
export async function findPortOwner(port: number): Promise<{ pid: number; name: string } | undefined> {
  try {
    const sockets = await socketsListeningOn(port);
    if (sockets.size === 0) return undefined;
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
      for (const descriptor of descriptors) {
        const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => "");
        if (!sockets.has(target)) continue;
        // Not `comm`: Node names its main thread, not its program, there.
        return { pid: Number(pid), name: basename(await readlink(`/proc/${pid}/exe`)) };
      }
    }
  } catch {
    // No /proc on this system.
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
