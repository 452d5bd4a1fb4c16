import { defineConfig } from "vitest/config";

/** What starts processes, synthesises stacks, plays days or speaks to real servers; `npm run test:fast` leaves it out. */
const slow = [
  "test/aws/**/*.test.ts",
  "test/commands/**/*.test.ts",
  "test/stack/**/*.test.ts",
  "test/assess/{assess,laws}.test.ts",
  "test/local/store/{kill,store-file}.test.ts",
  "test/probe/schedule/plan.test.ts",
  "test/probe/validate/hostile-body.test.ts",
  "test/scan/{corpus,uses}.test.ts",
  "test/scan/tree/ignore.test.ts",
  "test/config/thresholds.test.ts",
  "test/probe/http/exchange.test.ts",
  "test/parity/parity.test.ts",
  "test/simulator/v2.test.ts",
  "test/fourth-endpoint.test.ts",
];

const shared = {
  // For what hangs; a busy machine is slow, and not wrong.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  globalSetup: "test/random.ts",
};

export default defineConfig({
  test: {
    // One core is left idle otherwise, and there are only two.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          ...{ ...shared, name: "fast", include: ["test/**/*.test.ts"] },
          // The corpus has programs with tests of their own; the others have configurations of their own.
          exclude: [
            ...slow,
            ...["browser", "deployment", "replay", "stories", "scan/corpus"].map((name) => `test/${name}/**`),
          ],
        },
      },
      { test: { ...shared, name: "slow", include: slow } },
    ],
  },
});
