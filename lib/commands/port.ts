// The port of a command that serves, why it cannot be used, and the wait until the command is stopped.

import { createServer } from "node:net";
import { UsageError } from "./command.ts";

/** Called before a store is created, so that a failed start leaves no files behind. */
export async function checkPort(port: number, host: string): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, host, resolve);
    });
  } catch (error) {
    refusePort(error, port);
  }
  await new Promise((resolve) => server.close(resolve));
}

/** Throws the error of a server that could not listen, with the remedy where one is known. */
export function refusePort(error: unknown, port: number): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EACCES")
    throw new UsageError(`permission denied for port ${port}. Choose another one with --port.`);
  if (code === "EADDRNOTAVAIL") throw new UsageError("--host is not an address of this machine");
  if (code !== "EADDRINUSE") throw error;
  throw new UsageError(
    `port ${port} is in use. Stop the process that uses it, or choose another port with --port.`,
  );
}

export const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
