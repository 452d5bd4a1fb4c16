#!/usr/bin/env node
// The v1watch command line.
import * as nodeModule from "node:module";
import { createInterface } from "node:readline/promises";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const stop = new AbortController();

/** A reload that comes before the monitor runs waits for it: without a listener the signal would end the process. */
const hangups = {
  isHeld: false,
  listener() {
    hangups.isHeld = true;
  },
};
if (process.argv[2] === "up") {
  // What a monitor writes is for its owner only, whatever starts it.
  process.umask(0o077);
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on("SIGHUP", () => {
    // A terminal that is closed sends it as well, and is none from then on.
    if (terminals.every((fd) => isatty(fd))) hangups.listener();
    else stop.abort();
  });
}

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`v1watch: needs Node 24 or later; this is Node ${process.versions.node}\n`);
  process.exit(2);
}

// A monitor allocates little and runs for months: the young generation of its heap does not grow, which saves 10 MB.
if (process.argv[2] === "up") setFlagsFromString("--semi-space-growth-factor=1");

// Compiled code is cached on disk: later starts are half a second faster and use 15 MB less memory.
nodeModule.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/v1watch", import.meta.url)));
const { runCommand } = await import("../lib/commands/index.ts");

/** One byte over the limit of every command, so that longer input is rejected without being read completely. */
const maxInputBytes = 64 * 1024 * 1024 + 1;

async function readInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxInputBytes) break;
  }
  return Buffer.concat(chunks);
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question, { signal: stop.signal });
  } finally {
    terminal.close();
  }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // The terminal was closed.
  if (code === "EIO") stop.abort();
  // The reader has closed the pipe (`| head`), which is not an error.
  else process.exit(code === "EPIPE" ? 0 : 3);
});

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  stdin: readInput,
  ask: process.stdin.isTTY ? ask : undefined,
  env: process.env,
  isTerminal: process.stderr.isTTY === true,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  signal: stop.signal,
  onHangup(listener) {
    hangups.listener = listener;
    if (hangups.isHeld) listener();
  },
});
