import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    globalSetup: "pack.ts",
    setupFiles: "remove-folders.ts",
    // For what hangs: ten times of what a machine with nothing else to do needs.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // Half of a file's time is waiting for servers that play AWS, each of which has one core at most.
    maxWorkers: 3,
    // The tests of a file depend on each other: after a failure the rest has no meaning.
    bail: 1,
  },
});
