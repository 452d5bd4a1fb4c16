// After every test file its temporary folders are searched for the keys of the tests and for people, and removed: whatever a
// test is about, v1watch writes none of them. A file for vitest's setup, because it is run for each test file; a hook in a
// module of the tests would be registered once, where files share their process, and never where a test registers it.
import { afterAll, expect } from "vitest";
import { folders, removeFolders } from "./local/temporary-folder.ts";

afterAll(async () => {
  // Not before the tests, which may replace modules of the product that it imports.
  const { searchFolder } = await import("./sentinels.ts");
  const hits = folders.flatMap(searchFolder);
  removeFolders();
  expect(hits).toEqual([]);
});
