// After every test file its temporary folders are removed. They are not searched for people: a package of v1watch contains
// those of its simulator. deployment.test.ts searches what was deployed.
import { afterAll } from "vitest";
import { removeFolders } from "../local/temporary-folder.ts";

afterAll(removeFolders);
