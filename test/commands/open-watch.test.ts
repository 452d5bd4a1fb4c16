import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { drillAlert } from "../../lib/assess/alerts/scheduled-alerts.ts";
import { assess } from "../../lib/assess/assess.ts";
import { openStore } from "../../lib/local/store/store.ts";
import type { ScenarioName } from "../../lib/simulator/scenarios.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { tickOf } from "../assess/observation-builder.ts";
import { replay, replaySettings } from "../assess/replay.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run as runTerminal } from "./terminal.ts";

const dayMs = 86_400_000;
const folder = makeFolder();
const { decisions: _, ...settings } = replaySettings;

/** A store with some days of a scenario that end now. */
async function fill(name: ScenarioName, days: number): Promise<string> {
  const startMs = Math.floor(Date.now() / dayMs) * dayMs - days * dayMs;
  const { observations } = await replay(name, Date.now() - startMs, { keep: true, startMs });
  const path = join(folder, `${name}.db`);
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  for (const observation of observations) await store.ledger.append(observation);
  const delivery = { alert: async () => {}, metrics: async () => {} };
  await assess({ nowMs: Date.now, readKey: async () => ({ kind: "none" }), ...store, delivery }, settings);
  store.close();
  return path;
}

const run = (...args: string[]) => runTerminal(args);

let retyped: string;
let realistic: string;
let sunset: string;
beforeAll(async () => {
  [retyped, realistic, sunset] = await Promise.all([
    fill("silent-retype", 2),
    fill("realistic", 2),
    fill("sunset-announced", 2),
  ]);
});

describe("outlook", () => {
  test("calm is exit 0, an announced end is exit 1 with its date and reasons", async () => {
    const calm = await run("outlook", "--store", realistic);
    expect(calm).toMatchObject({ code: 0 });
    expect(calm.out).toMatch(/^CALM · V1 shows no sign of leaving/);
    const leaving = await run("outlook", "--store", sunset);
    expect(leaving).toMatchObject({ code: 1 });
    expect(leaving.out).toMatch(
      /^WARNING · V1 is probably leaving\. Best date: \d{4}-\d\d-\d\d \(\d+ days\), from its Sunset header/,
    );
    expect(leaving.out).toContain("why   Sunset header appeared");
  });

  test("--json is the outlook and nothing else", async () => {
    const { out } = await run("outlook", "--store", sunset, "--json");
    expect(JSON.parse(out)).toMatchObject({ level: "warning", reasons: expect.any(Array) });
  });
});

describe("drift", () => {
  test("a change is told from what was different from the start", async () => {
    const { code, out } = await run("drift", "--store", retyped);
    expect(code).toBe(1);
    expect(out).toMatch(/breaking {2}passport\.score +number → string {2}change, /);
    const start = await run("drift", "--store", realistic, "--level", "breaking");
    expect(start.code).toBe(0);
    expect(start.out).toMatch(/passport\.connections_count +missing {2}from the start/);
    expect(start.out).not.toContain("additive");
  });

  test("what differs only by the type that came is one line", async () => {
    const { out } = await run("drift", "--store", realistic);
    const lines = out.split("\n").filter((line) => line.startsWith("  additive"));
    const paths = lines.map((line) => line.split(/ +/)[2]);
    expect(new Set(paths).size).toBe(paths.length);
    expect(out).toMatch(
      /passports\[\]\.user +not in the document \(null or object\) {2}from the start, .+ to now, in \d+ of \d+/,
    );
    const { out: json } = await run("drift", "--store", realistic, "--json");
    expect(json).toContain('"passport-list passports[].user extra null"');
  });

  test("of what breaks it shows the id that mute takes", async () => {
    const { out } = await run("drift", "--store", retyped);
    expect(out).toContain("            id  passport passport.score retyped string\n");
    expect(out).not.toMatch(/id {2}.* extra /);
  });

  test("a wrong level lists the right ones", async () => {
    expect(await run("drift", "--store", retyped, "--level", "bad")).toMatchObject({
      code: 2,
      err: expect.stringContaining("breaking, additive, notice"),
    });
  });
});

describe("incidents, ack and mute", () => {
  test("an open incident is shown with its evidence; a calm watch says so", async () => {
    const { code, out } = await run("incidents", "--store", retyped);
    expect(code).toBe(1);
    expect(out).toContain("drift/breaking");
    expect(out).toContain("passport.score: number became string");
    expect(await run("incidents", "--store", realistic)).toMatchObject({
      code: 0,
      out: "No incident is open.\n",
    });
  });

  test("ack and mute record a reason, refuse what they do not know, and a mute ends", async () => {
    expect(await run("ack", "drift/breaking", "--store", retyped)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--reason"),
    });
    expect(await run("mute", "drift/breaking", "--reason", "x", "--store", retyped)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--until"),
    });
    expect(await run("ack", "breaking", "--reason", "x", "--store", retyped)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "drift/breaking"'),
    });
    expect(await run("ack", "drift/breaking", "--reason", "known to us", "--store", retyped)).toMatchObject({
      code: 0,
    });
    expect((await run("incidents", "--store", retyped)).out).toContain("ack: known to us");
    const finding = ["passport", "passport.score", "retyped", "string"];
    expect(
      await run("mute", ...finding, "--until", "3d", "--reason", "we read both", "--store", retyped),
    ).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Muted until \d{4}-\d\d-\d\d \d\d:\d\d UTC: passport passport\.score /),
    });
    expect((await run("drift", "--store", retyped)).out).toContain("muted");
    expect(
      await run("mute", ...finding, "--until", "2020-01-01", "--reason", "x", "--store", retyped),
    ).toMatchObject({ code: 2, err: expect.stringContaining("a time ahead") });
  });
});

describe("alarms", () => {
  /** A watch that answered so many minutes ago, for the last time, and asks so rarely. */
  async function statesOf(minutesAgo: number, calm: string, waiting = false) {
    const path = join(folder, `watch-${minutesAgo}-${calm}-${waiting}.db`);
    const opened = openStore(path, { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const atMs = Date.now() - minutesAgo * 60_000;
    for (const observation of tickOf(atMs)) await opened.store.ledger.append(observation);
    const alert = drillAlert(new Date(atMs).toISOString());
    if (waiting) await opened.store.outbox.put([{ id: alert.id, kind: "alert", alert }]);
    opened.store.close();
    const config = join(folder, `${calm}.json`);
    const cadence = { calm };
    await writeFile(config, JSON.stringify({ baseUrl: "https://v1.example.com", cadence }));
    const { out } = await run("alarms", "--store", path, "--config", config, "--json");
    const states = JSON.parse(out) as { name: string; state: string }[];
    return Object.fromEntries(states.map(({ name, state }) => [name, state]));
  }

  test("a watch that has just begun, or seldom asks, is not silent; one that is overdue is", async () => {
    expect(await statesOf(0, "30m")).toMatchObject({ "heartbeat-assess": "OK" });
    expect(await statesOf(70, "2h")).toMatchObject({ "heartbeat-assess": "OK" });
    expect(await statesOf(240, "30m")).toMatchObject({ "heartbeat-assess": "ALARM" });
  });

  test("alerts that have waited for hours are an alarm here as in AWS", async () => {
    expect(await statesOf(120, "2h", true)).toMatchObject({ "alerts-undelivered": "ALARM" });
    expect(await statesOf(120, "2h")).toMatchObject({ "alerts-undelivered": "OK" });
  });

  test("the table of the stack, judged here: drift is in alarm, a calm watch is not", async () => {
    const { code, out } = await run("alarms", "--store", retyped);
    expect(code).toBe(1);
    expect(out).toMatch(/ALARM +breaking-drift[^\n]*passport/);
    const calm = JSON.parse((await run("alarms", "--store", sunset, "--json")).out) as {
      name: string;
      state: string;
    }[];
    expect(
      calm
        .filter(({ name }) => /^(?:request-failures|unauthorized|breaking|heartbeat)/.test(name))
        .map(({ state }) => state),
    ).not.toContain("ALARM");
    expect(calm.length).toBeGreaterThan(15);
  });
});

describe("gaps", () => {
  test("every not-shown is on the board, with what was seen", async () => {
    const { code, out } = await run("gaps", "--store", realistic);
    expect(code).toBe(0);
    expect(out).toMatch(
      /In which direction is the list sorted by score\? +observed +score: descending \d+ of \d+/,
    );
    expect(out).toMatch(/What answers an unknown id.* +observed +status: 404/);
    expect(out).toMatch(/Which values may source have\? +observed +\d values/);
    expect(out).toMatch(/How is an API key issued\? +open/);
    const { gaps } = JSON.parse((await run("gaps", "--store", realistic, "--json")).out);
    expect(gaps).toHaveLength(19);
  });
});

describe("probe beside a store", () => {
  test("records its cycle and counts its cost where a store is, and makes none where there is none", async () => {
    const simulator = await startSimulator({ passports: 50 });
    try {
      const ask = (store: string) =>
        run("probe", "--base-url", simulator.url, "--allow-loopback", "--store", store);
      const before = JSON.parse((await run("gaps", "--store", sunset, "--json")).out).responses;
      expect((await ask(sunset)).out).toMatch(/3 requests \(4,997 of 5,000 left this month\)/);
      expect(JSON.parse((await run("gaps", "--store", sunset, "--json")).out).responses).toBe(before + 3);
      const owner = openStore(sunset, { mode: "own" });
      expect((await ask(sunset)).out).toContain("counted, not recorded: the running watch has the store");
      if (owner.kind === "open") owner.store.close();
      expect((await ask(join(folder, "nowhere.db"))).out).toMatch(/3 requests\n/);
      expect(existsSync(join(folder, "nowhere.db"))).toBe(false);
    } finally {
      await simulator.close();
    }
  });
});

test("a store that cannot be opened is told with its cause and what to do", async () => {
  const said = async (command: string[], store: string) => (await run(...command, "--store", store)).err;
  expect(await said(["outlook"], folder)).toMatch(
    /cannot be read: it is a folder, .* Name a file with --store/,
  );
  expect(await said(["up", "--once"], folder)).toMatch(/cannot be used: it is a folder, .* Name a file/);
  const text = join(folder, "text.db");
  await writeFile(text, "no database ".repeat(1_000));
  for (const command of [["incidents"], ["export"], ["backup", join(folder, "copy.db")], ["drill"]])
    expect(await said(command, text)).toMatch(
      /: it is damaged\. `v1watch up` sets it aside and starts a new/,
    );
});

test("a copy that cannot be written says what to do, and a line that cannot be read is one line", async () => {
  for (const command of ["export", "backup"]) {
    const { code, err } = await run(command, join(folder, "no", "x"), "--store", sunset);
    expect([code, err]).toEqual([2, expect.stringMatching(/x": its folder is not there\. Make it first\n$/)]);
    expect((await run(command, sunset, "--store", sunset)).err).toMatch(
      /is not overwritten\. Name another file/,
    );
  }
  const bad = join(folder, "bad.json");
  await writeFile(bad, "{\n");
  const into = ["--store", join(folder, "into.db")];
  expect((await run("import", bad, ...into)).err).toBe("v1watch: line 1 is no record of ours\n");
  expect((await run("import", join(folder, "none"), ...into)).err).toMatch(/there is no file .* Name one/);
});

test("without a store each command says how to get one", async () => {
  for (const command of ["outlook", "drift", "gaps", "incidents"]) {
    const { code, err } = await run(command, "--store", join(folder, "nowhere.db"));
    expect(code).toBe(2);
    expect(err).toContain("Start `v1watch up`");
  }
});
