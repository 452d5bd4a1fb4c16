// Proves a promise by its tests and prints the result as one line of JSON.
//   node bench/prove-by-tests.ts strings|addresses|sentinels|outages|older|messages
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { naughtyStrings } from "../test/naughty-strings.ts";
import { readCommandLine } from "./command-line.ts";
import { printProof } from "./reliability.ts";

const strings = naughtyStrings.length;
/** Each configuration of the tests runs those of the files that it includes. */
const configs = ["vitest.config.ts", "test/replay/vitest.config.ts"];
const proofs: Record<string, { promise: string; files: string[]; held: string }> = {
  strings: {
    promise: "strings × fields × sinks",
    files: ["test/naughty-strings.test.ts"],
    held: `${strings} strings, 0 escapes`,
  },
  addresses: {
    promise: "forbidden addresses",
    files: ["test/probe/http/forbidden-addresses.test.ts", "test/probe/http/addresses.test.ts"],
    held: "more than 250 spellings, 0 connections",
  },
  outages: {
    promise: "store, SNS and CloudWatch out",
    files: ["test/replay/outages.test.ts"],
    held: "3 virtual hours each and together, on one machine and over DynamoDB, SNS and CloudWatch behind a proxy: 0 lost, in order",
  },
  older: {
    promise: "older stores",
    files: ["test/local/store/older-stores.test.ts"],
    held: "a store and a table of version 7, 0 rows lost, 0 alerts repeated",
  },
  messages: {
    promise: "limits of messages",
    files: ["test/assess/message-economy.test.ts", "test/replay/message-limits.test.ts"],
    held: "random scripts of 40 days and five histories, 0 limits exceeded",
  },
  sentinels: {
    promise: "sentinels",
    files: ["test/local/sentinels.test.ts", "test/probe/privacy.test.ts"],
    held: "0 hits",
  },
};

const names = Object.keys(proofs);
const usage = `Usage: node bench/prove-by-tests.ts ${names.join("|")}\nExample: node bench/prove-by-tests.ts strings`;
const { name } = readCommandLine(usage, names, []);
const proof = proofs[name]!;
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "v1watch-proof-"));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
try {
  let total = 0;
  let passed = 0;
  for (const [at, config] of configs.entries()) {
    const output = join(folder, `tests-${at}.json`);
    const args = [vitest, "run", "--config", config, "--passWithNoTests", ...proof.files];
    try {
      execFileSync(process.execPath, [...args, "--reporter=json", `--outputFile=${output}`], {
        cwd: root,
        stdio: ["ignore", "ignore", "inherit"],
      });
    } catch {
      // Failed tests are counted from the output.
    }
    const counted = JSON.parse(readFileSync(output, "utf8"));
    total += counted.numTotalTests;
    passed += counted.numPassedTests;
  }
  const isHeld = total > 0 && passed === total;
  printProof({
    promise: proof.promise,
    figure: `${passed} of ${total} tests passed${isHeld ? `: ${proof.held}` : ""}`,
    command: `node bench/prove-by-tests.ts ${name}`,
    result: isHeld ? "held" : "broken",
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
