// A team for the pictures: its code that uses V1, the starter mapping, and a receiver of its alerts.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createChannel } from "../../lib/delivery/channels/index.ts";

const code = `export async function showScore(id: string) {
  const response = await fetch(\`https://api.example.com/api/v1/passports/\${id}\`);
  const { passport } = await response.json();
  return \`\${passport.score} points, \${passport.connections_count} connections\`;
}

export async function listScores() {
  const { passports } = await (await fetch("https://api.example.com/api/v1/passports")).json();
  return passports.map((one: { score: number }) => one.score);
}
`;

/** The report reads its files from the current folder, which is this one until it is stopped. */
export async function startTeam(folder: string) {
  const commandLine = fileURLToPath(new URL("../../bin/v1watch.ts", import.meta.url));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [commandLine, ...args], { cwd: folder, stdio: "ignore" });
  mkdirSync(join(folder, "api"));
  writeFileSync(join(folder, "api", "score.ts"), code);
  run("scan", "api", "--inventory", "v1watch.inventory.json");
  run("migrate", "init");
  const formerFolder = process.cwd();
  process.chdir(folder);
  const receiver = createServer((request, response) => request.resume().on("end", () => response.end()));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const channel = await createChannel(
    {
      name: "on-call",
      type: "webhook",
      format: "alert",
      url: { env: "ON_CALL" },
      severities: ["page", "warning"],
      events: ["opened", "changed", "reminder", "resolved"],
    },
    { readSecret: async () => address, print() {} },
  );
  const stop = () => {
    receiver.close();
    process.chdir(formerFolder);
  };
  return { channel, stop };
}
