#!/usr/bin/env node
// The command line: picks a command.
import { buffer } from "node:stream/consumers";
import { runCommand } from "../lib/commands/index.ts";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
// A reader that leaves early (`| head`) is no error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 3));

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  stdin: () => buffer(process.stdin),
  env: process.env,
  isTerminal: process.stderr.isTTY === true,
  signal: stop.signal,
});
