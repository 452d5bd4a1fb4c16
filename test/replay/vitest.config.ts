import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/replay/**/*.test.ts"],
    // Weeks of virtual time take minutes on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    maxWorkers: "100%",
  },
});
