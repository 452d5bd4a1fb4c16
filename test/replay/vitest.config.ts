import { defineConfig } from "vitest/config";

/**
 * Tests beside the code that they test which play days and months of virtual time or hundreds of faults. They take
 * longer than a developer should wait for `npm test`.
 */
export const long = [
  "test/assess/{assess,laws}.test.ts",
  "test/aws/faults.test.ts",
  "test/commands/demo.test.ts",
  "test/local/sentinels.test.ts",
  "test/local/store/{damage,kill}.test.ts",
  "test/naughty-strings.test.ts",
  "test/probe/effects.test.ts",
  "test/probe/schedule/plan.test.ts",
  "test/probe/validate/hostile-body.test.ts",
];

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/replay/**/*.test.ts", ...long],
    globalSetup: "test/random.ts",
    setupFiles: "test/loopback-guard.ts",
    // Weeks of virtual time take minutes on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    maxWorkers: "100%",
  },
});
