import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { replaceContract } from "./test/another-api/replace-contract.ts";
import { long } from "./test/replay/vitest.config.ts";

/**
 * What starts processes, synthesises stacks, plays days, speaks to real servers or takes more than two seconds of one core;
 * `npm run test:fast` leaves it out.
 */
const slow = [
  "test/aws/**/*.test.ts",
  "test/commands/**/*.test.ts",
  "test/github/**/*.test.ts",
  "test/rehearse/**/*.test.ts",
  "test/stack/**/*.test.ts",
  "test/assess/{claims,conversation,judgement,laws,partial,rule-failed,telling}.test.ts",
  "test/assess/text/reproduce.test.ts",
  "test/delivery/{ends,recipients}.test.ts",
  "test/delivery/channels/{channels,conformance,independence,pagerduty}.test.ts",
  "test/delivery/receivers-for-days.test.ts",
  "test/local/{heartbeat,maintenance,not-sent,own-faults,watch,watch-loops,weekly-digest,wrong-clock}.test.ts",
  "test/local/server/{api,load,server,signed-links,unreadable-rows}.test.ts",
  "test/local/store/{odd-bodies,older-stores,recover,store,store-file}.test.ts",
  "test/parity/parity.test.ts",
  "test/probe/{booking,privacy}.test.ts",
  "test/probe/http/{exchange,forbidden-addresses,framings,proxy}.test.ts",
  "test/probe/validate/{drift,parse-body,timestamp}.test.ts",
  "test/records/outputs.test.ts",
  "test/report/{health-days,report}.test.ts",
  "test/scan/{corpus,guard,limits,uses}.test.ts",
  "test/scan/names/questions.test.ts",
  "test/scan/tree/{files,ignore}.test.ts",
  "test/simulator/{scenarios,v2}.test.ts",
];

const shared = {
  // For what hangs; a busy machine is slow, and not wrong.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 600_000 } },
  globalSetup: "test/random.ts",
  setupFiles: ["test/loopback-guard.ts", "test/remove-folders.ts"],
  // The processes that tests start compile their modules once, as an installed command does.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/v1watch", import.meta.url)) },
  // Files share their process, which saves the imports of a third of the run.
  isolate: false,
};

export default defineConfig({
  test: {
    // More than there are cores, because some tests wait for servers. Of a percentage vitest takes no more than there are.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      {
        test: {
          ...shared,
          name: "fast",
          include: ["test/**/*.test.ts"],
          // The corpus has programs with tests of their own; the others have configurations of their own.
          exclude: [
            ...slow,
            ...long,
            ...["another-api", "browser", "deployment", "mutation", "replay", "stories", "scan/corpus"].map(
              (name) => `test/${name}/**`,
            ),
          ],
        },
      },
      { test: { ...shared, name: "slow", include: slow, exclude: long } },
      {
        plugins: [replaceContract],
        // In a process of its own: the modules of the others have V1's contract.
        test: { ...shared, name: "another-api", include: ["test/another-api/**/*.test.ts"], isolate: true },
      },
    ],
  },
});
