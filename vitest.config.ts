import { defineConfig } from "vitest/config";
import { long } from "./test/replay/vitest.config.ts";

/** What starts processes, synthesises stacks, plays days or speaks to real servers; `npm run test:fast` leaves it out. */
const slow = [
  "test/aws/**/*.test.ts",
  "test/commands/**/*.test.ts",
  "test/stack/**/*.test.ts",
  "test/delivery/channels/independence.test.ts",
  "test/local/store/{odd-bodies,older-stores,store-file}.test.ts",
  "test/parity/{chunk,parity}.test.ts",
  "test/probe/http/{exchange,framings}.test.ts",
  "test/scan/{corpus,uses}.test.ts",
  "test/scan/tree/ignore.test.ts",
  "test/simulator/v2.test.ts",
];

const shared = {
  // For what hangs; a busy machine is slow, and not wrong.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  globalSetup: "test/random.ts",
  setupFiles: ["test/loopback-guard.ts", "test/remove-folders.ts"],
  // Files share their process, which saves the imports of a third of the run.
  isolate: false,
};

export default defineConfig({
  test: {
    // More than there are cores, because some tests wait for servers.
    maxWorkers: "150%",
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
            ...["browser", "deployment", "mutation", "replay", "stories", "scan/corpus"].map(
              (name) => `test/${name}/**`,
            ),
          ],
        },
      },
      { test: { ...shared, name: "slow", include: slow, exclude: long } },
    ],
  },
});
