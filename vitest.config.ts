import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The corpus has programs with tests of their own.
    exclude: [
      "test/browser/**",
      "test/deployment/**",
      "test/replay/**",
      "test/stories/**",
      "test/scan/corpus/**",
    ],
    // For what hangs; a busy machine is slow, and not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One core is left idle otherwise, and there are only two.
    maxWorkers: "100%",
  },
});
