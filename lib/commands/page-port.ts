// The page's port, and what to say where it cannot be had.
import { createServer } from "node:net";
import { UsageError } from "./command.ts";
import { findPortOwner } from "./port-owner.ts";

export const defaultPort = 4180;

/** Before anything is written: a watch that cannot show its page leaves nothing behind. */
export async function checkPort(port: number, host: string): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, host, resolve);
    });
  } catch (error) {
    throw await explainPort(error, port);
  }
  await new Promise((resolve) => server.close(resolve));
}

export async function explainPort(error: unknown, port: number): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EACCES") return new UsageError(`port ${port} needs more rights than yours. Use --port.`);
  if (code === "EADDRNOTAVAIL") return new UsageError("--host is not an address of this machine");
  if (code !== "EADDRINUSE") return error;
  const owner = await findPortOwner(port);
  const who = owner ? ` (pid ${owner.pid}, ${owner.name})` : "";
  return new UsageError(`port ${port} is in use${who}. Use --port, or stop it.`);
}
