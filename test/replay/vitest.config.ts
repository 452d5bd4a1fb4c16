import { defineConfig } from "vitest/config";

/** Many faults at random, which take longer than a developer should wait for `npm test`. */
export const faults = [
  "test/assess/laws.test.ts",
  "test/aws/faults.test.ts",
  "test/local/store/{damage,kill}.test.ts",
];

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/replay/**/*.test.ts", ...faults],
    globalSetup: "test/random.ts",
    setupFiles: "test/loopback-guard.ts",
    // Weeks of virtual time take minutes on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    maxWorkers: "100%",
  },
});
