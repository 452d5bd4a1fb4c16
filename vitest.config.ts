import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**", "test/aws/**"],
    testTimeout: 20_000,
    // One core is left idle otherwise, and there are only two.
    maxWorkers: "100%",
  },
});
