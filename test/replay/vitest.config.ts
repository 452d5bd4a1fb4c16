import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Tests beside the code that they test which play days and months of virtual time, wait, try hundreds of faults, or
 * replace modules of the product. They take longer than a developer should wait for `npm test`.
 */
export const long = [
  "test/assess/assess.test.ts",
  "test/aws/faults.test.ts",
  "test/commands/demonstration.test.ts",
  "test/commands/up/sns.test.ts",
  "test/fourth-endpoint.test.ts",
  "test/local/sentinels.test.ts",
  "test/local/store/{clock,damage,kill}.test.ts",
  "test/naughty-strings.test.ts",
  "test/probe/effects.test.ts",
  "test/probe/schedule/month.test.ts",
  "test/probe/validate/hostile-body.test.ts",
  "test/simulator/effects.test.ts",
  "test/stack/{late-starts,played-alarms}.test.ts",
];

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/replay/**/*.test.ts", ...long],
    globalSetup: "test/random.ts",
    setupFiles: ["test/loopback-guard.ts", "test/remove-folders.ts"],
    // Weeks of virtual time take minutes on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // More than there are cores, because some tests wait.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
  },
});
