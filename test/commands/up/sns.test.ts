// `up` as a process of its own, with an emulated SNS: its alerts arrive in a subscribed queue.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { credentials } from "../../aws/dynamo-server.ts";
import { readAlert, startQueues } from "../../aws/queue-server.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { run } from "../terminal.ts";

const folder = makeFolder();
const program = join(import.meta.dirname, "../../../bin/v1watch.ts");
const { topicArn, endpoint, subscribe } = await startQueues();

test("v1watch up delivers the alert for a retired V1 and a drill to the configured SNS topic", async () => {
  const receive = await subscribe("on-call", undefined);
  writeFileSync(
    join(folder, "v1watch.config.json"),
    JSON.stringify({
      alerts: { pageAfter: "1s" },
      channels: [{ type: "sns", name: "topic", topicArn }],
    }),
  );
  const up = spawn(process.execPath, [program, "up", "--port", "0", "--scenario", "gone", "--every", "2"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  });
  const closed = new Promise((resolve) => up.on("close", resolve));
  try {
    const received: string[] = [];
    while (!received.includes("gone")) {
      await wait(100);
      received.push(...(await receive()).map(({ Body }) => readAlert(Body).rule));
    }
    // A drill uses the same delivery path and is accepted by `ready` as a test of it.
    const store = join(folder, ".v1watch/simulator.db");
    const drill = await run(["notify", "--drill", "--store", store]);
    expect(drill).toMatchObject({ code: 0, err: "" });
    while (!received.includes("drill")) {
      await wait(100);
      received.push(...(await receive()).map(({ Body }) => readAlert(Body).rule));
    }
    const { gates } = JSON.parse((await run(["ready", "--store", store, "--json"])).out);
    const gate = gates.find(({ id }: { id: string }) => id === "alerts");
    expect(gate).toMatchObject({ state: "pass", evidence: ["a drill was delivered today to topic"] });
  } finally {
    up.kill("SIGTERM");
    await closed;
  }
});
