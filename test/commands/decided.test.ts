// Commands print what the watch decided, by the settings of the watch and not by those of the folder they are called in.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startRig } from "../local/monitor-rig.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run } from "./terminal.ts";

test("Incidents and the report of a store do not depend on the configuration that a command finds", async () => {
  const folder = makeFolder();
  let nowMs = Date.now() - 60_000;
  const rig = await startRig({ folder, nowMs: () => nowMs });
  for (let tick = 0; tick < 4; tick += 1) {
    await rig.monitor.once();
    nowMs += 10_000;
    rig.simulation.inject("status", undefined);
  }
  const store = join(folder, "rig.db");
  const config = join(folder, "v1watch.config.json");
  const read = async (pageAfter: string) => {
    writeFileSync(config, JSON.stringify({ baseUrl: "https://api.example.com", alerts: { pageAfter } }));
    const options = ["--store", store, "--config", config];
    const incidents = await run(["incidents", "--json", ...options]);
    const report = await run(["report", "--format", "json", "--out", "-", ...options]);
    return { incidents: JSON.parse(incidents.out), report: report.out };
  };
  const strict = await read("1s");
  // With this setting, the same checks would be a page that was never sent.
  expect(strict.incidents).toEqual([]);
  expect(rig.store.history.sentAlerts(9)).toEqual([]);
  expect(strict.report).toContain("v1watch/report/1");
  expect(await read("1h")).toEqual(strict);
  await rig.stop();
});
