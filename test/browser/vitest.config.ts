import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["test/browser/**/*.test.ts"],
    testTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    hookTimeout: 900_000,
    // Half of a file's time is waiting for the page.
    maxWorkers: 2,
  },
});
