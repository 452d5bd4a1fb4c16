// The systemd unit.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";

const unit = readFileSync(new URL("../../deploy/v1watch.service", import.meta.url), "utf8");

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
