import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    setupFiles: "remove-folders.ts",
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    // The tests depend on each other: after a failure the rest has no meaning.
    bail: 1,
  },
});
