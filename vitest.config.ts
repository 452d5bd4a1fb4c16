import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The corpus has programs with tests of their own.
    exclude: ["test/browser/**", "test/aws/**", "test/migration/corpus/**"],
    testTimeout: 20_000,
    // One core is left idle otherwise, and there are only two.
    maxWorkers: "100%",
  },
});
