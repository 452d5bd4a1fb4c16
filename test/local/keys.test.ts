import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createLocalKey } from "../../lib/commands/secrets.ts";
import { makeFolder } from "./temporary-folder.ts";

const folder = makeFolder();
const noSecret = { kind: "no-secret" };
const fromEnv = (value: string | undefined) => createLocalKey({ env: "V1_KEY" }, { V1_KEY: value })();
const fromFile = (name: string) => createLocalKey({ file: join(folder, name) }, {})();

describe("createLocalKey", () => {
  test("createLocalKey reads the key from the environment and trims it", async () => {
    expect(await fromEnv(" sentinel\n")).toEqual({ kind: "key", key: "sentinel" });
    expect(await createLocalKey("none", {})()).toEqual({ kind: "none" });
  });

  test.each([undefined, "", "  ", "sen\ntinel", "sen tinel", "schlüssel", "x".repeat(4_097)])(
    "createLocalKey returns no-secret if the environment variable is %j",
    async (value) => {
      expect(await fromEnv(value)).toEqual(noSecret);
    },
  );

  test("createLocalKey reads the file for every call, also through a symbolic link", async () => {
    writeFileSync(join(folder, "key"), "sentinel-1\n");
    symlinkSync(join(folder, "key"), join(folder, "link"));
    const readKey = createLocalKey({ file: join(folder, "link") }, {});
    expect(await readKey()).toEqual({ kind: "key", key: "sentinel-1" });
    writeFileSync(join(folder, "key"), "sentinel-2\n");
    expect(await readKey()).toEqual({ kind: "key", key: "sentinel-2" });
  });

  test("createLocalKey returns no-secret if the file is missing, empty, a folder, too large, a device or a pipe", async () => {
    mkdirSync(join(folder, "folder"));
    writeFileSync(join(folder, "empty"), "");
    writeFileSync(join(folder, "large"), "x".repeat(4_097));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["missing", "folder", "empty", "large", "pipe"])
      expect(await fromFile(name), name).toEqual(noSecret);
    expect(await createLocalKey({ file: "/dev/zero" }, {})()).toEqual(noSecret);
  });
});
