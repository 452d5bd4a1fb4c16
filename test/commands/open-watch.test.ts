import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { assess } from "../../lib/assess/assess.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { openStore } from "../../lib/local/store/store.ts";
import type { ScenarioName } from "../../lib/simulator/scenarios.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { replay } from "../assess/replay.ts";
import { configure } from "../config/configure.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run as runTerminal } from "./terminal.ts";

const hourMs = 3_600_000;
const folder = makeFolder();

/** With a long cadence there are few checks. */
const file = { cadence: { calm: "2h" } };
const settings = assessmentSettings(configure(file));

/** Creates a store with the last hours of a scenario, up to now. */
async function fill(name: ScenarioName, hours: number): Promise<string> {
  const startMs = Date.now() - hours * hourMs;
  const { observations } = await replay(name, hours * hourMs, { file, keep: true, startMs });
  const path = join(folder, `${name}.db`);
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  await store.ledger.saveSettings(settings);
  for (const observation of observations) await store.ledger.append(observation);
  await assess(
    { nowMs: Date.now, readKey: async () => ({ kind: "none" }), ...store, receivers: [] },
    settings,
  );
  store.close();
  return path;
}

const run = (...args: string[]) => runTerminal(args);

let retyped: string;
let realistic: string;
let sunset: string;
beforeAll(async () => {
  // V1 changes after a day.
  [retyped, realistic, sunset] = await Promise.all([
    fill("silent-retype", 27),
    fill("realistic", 12),
    fill("sunset-moved-earlier", 27),
  ]);
});

describe("status risk", () => {
  test("v1watch status risk exits 0 for low risk, and 1 for an announced retirement with its date and reasons", async () => {
    const low = await run("status", "risk", "--store", realistic);
    expect(low).toMatchObject({ code: 0 });
    expect(low.out).toMatch(/^How long we have\n.*\nRetirement risk: low · V1 shows no retirement signals/);
    const announced = await run("status", "risk", "--store", sunset);
    expect(announced).toMatchObject({ code: 1 });
    expect(announced.out).toMatch(
      /^Retirement risk: high · V1 is likely to be retired\. Its Sunset header names \d{4}-\d\d-\d\d\.\n- Its Sunset header names/m,
    );
    expect(announced.out).toContain("V1 announces its deprecation on all 3 endpoints");
  });

  test("v1watch status risk --json prints only the outlook", async () => {
    const { out } = await run("status", "risk", "--store", sunset, "--json");
    expect(JSON.parse(out)).toMatchObject({ level: "high", reasons: expect.any(Array) });
  });
});

describe("status drift", () => {
  test("v1watch status drift distinguishes a change from a difference that exists since the first check", async () => {
    const { code, out } = await run("status", "drift", "--store", retyped);
    expect(code).toBe(1);
    expect(out).toMatch(
      /breaking {2}passport\.score +number → string +\d+ of \d+ +\d{4}-\d\d-\d\d \d\d:\d\d to now/,
    );
    const initial = await run("status", "drift", "--store", realistic);
    expect(initial.code).toBe(0);
    expect(initial.out).toMatch(/passport\.connections_count +missing +\d+ of \d+ +first check to now/);
  });

  test("v1watch status drift prints the id that mute takes for breaking differences only", async () => {
    const { out } = await run("status", "drift", "--store", retyped);
    expect(out).toContain("   Id: passport passport.score retyped string\n");
    expect(out).not.toMatch(/Id: .* extra /);
  });
});

describe("incidents, ack and mute", () => {
  test("v1watch incidents lists what fires, or that nothing does, and incidents show prints one as its alert says it", async () => {
    const { code, out } = await run("incidents", "--store", retyped);
    expect(code).toBe(1);
    const [id = ""] = /breaking-drift-\S+/.exec(out) ?? [];
    const shown = await run("incidents", "show", id, "--store", retyped);
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(/^PAGE: V1 changed the type of 3 fields on passport-list and passport/);
    for (const part of [
      "passport.score: number → string",
      "\nImpact\n",
      "\nNext steps\n1. ",
      "\nMessages\n- opened at ",
    ])
      expect(shown.out).toContain(part);
    expect(await run("incidents", "show", "down-20200101T0000Z", "--store", retyped)).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no incident down-20200101T0000Z"),
    });
    expect(await run("incidents", "--store", realistic)).toMatchObject({
      code: 0,
      out: "No incident is firing.\n",
    });
  });

  test("v1watch incidents ack and mute need a reason and a known id, and mute needs an end in the future", async () => {
    const [{ id: incidentId }] = JSON.parse((await run("incidents", "--json", "--store", retyped)).out);
    expect(await run("incidents", "ack", "x", "--store", retyped)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--reason"),
    });
    expect(
      await run("incidents", "mute", "breaking-drift", "--reason", "x", "--store", retyped),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining("--until"),
    });
    expect(await run("incidents", "ack", "breaking", "--reason", "x", "--store", retyped)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "breaking-drift-'),
    });
    expect(
      await run("incidents", "ack", incidentId, "--reason", "known to us", "--store", retyped),
    ).toMatchObject({
      code: 0,
    });
    expect((await run("incidents", "--store", retyped)).out).toContain("(acknowledged: known to us)");
    const finding = ["passport", "passport.score", "retyped", "string"];
    expect(
      await run(
        "incidents",
        "mute",
        ...finding,
        "--until",
        "3d",
        "--reason",
        "we read both",
        "--store",
        retyped,
      ),
    ).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Muted until \d{4}-\d\d-\d\d \d\d:\d\d UTC: passport passport\.score /),
    });
    expect((await run("status", "drift", "--store", retyped)).out).toMatch(
      /mute until \d{4}-\d\d-\d\d \d\d:\d\d: we read both/,
    );
    expect(
      await run(
        "incidents",
        "mute",
        ...finding,
        "--until",
        "2020-01-01",
        "--reason",
        "x",
        "--store",
        retyped,
      ),
    ).toMatchObject({ code: 2, err: expect.stringContaining("a time in the future") });
    const why = ["--reason", "it is over", "--store", retyped];
    expect(await run("incidents", "unmute", ...finding, ...why)).toMatchObject({ code: 0 });
    expect((await run("status", "drift", "--store", retyped)).out).not.toContain("mute until");
    expect(await run("incidents", "unmute", ...finding, ...why)).toMatchObject({
      code: 2,
      err: "v1watch: nothing is muted\n",
    });
  });

  test("v1watch incidents mute takes a rule or an endpoint, refuses what is not firing without --ahead, and takes no control codes", async () => {
    const rest = ["--until", "3d", "--reason", "planned", "--store", retyped];
    expect(await run("incidents", "mute", "passport", ...rest)).toMatchObject({ code: 0 });
    expect(await run("incidents", "mute", "breaking-drift", ...rest)).toMatchObject({ code: 0 });
    expect(await run("incidents", "mute", "slow", ...rest)).toMatchObject({
      code: 2,
      err: expect.stringContaining('"slow" is not firing'),
    });
    expect(await run("incidents", "mute", "slow", "--ahead", ...rest)).toMatchObject({ code: 0 });
    const red = ["--until", "3d", "--reason", "\u001b[31mred", "--store", retyped];
    expect(await run("incidents", "mute", "breaking-drift", ...red)).toMatchObject({
      code: 2,
      err: "v1watch: argument 7 contains a control character. Write it without, on one line\n",
    });
    for (const id of ["passport", "breaking-drift", "slow"])
      expect(await run("incidents", "unmute", id, "--reason", "over", "--store", retyped)).toMatchObject({
        code: 0,
      });
  });
});

describe("status undocumented", () => {
  test("v1watch status undocumented lists every undocumented behaviour with the observations of it", async () => {
    const { code, out } = await run("status", "undocumented", "--store", realistic);
    expect(code).toBe(0);
    expect(out).toMatch(
      /In which direction is the list sorted by score\? +observed +score: descending \d+ of \d+/,
    );
    expect(out).toMatch(/What is the response to an unknown id.* +observed +status: 404/);
    expect(out).toMatch(/Which values may source have\? +observed +\d values/);
    expect(out).toMatch(/How is an API key issued\? +open/);
    const { gaps } = JSON.parse((await run("status", "undocumented", "--store", realistic, "--json")).out);
    expect(gaps).toHaveLength(19);
  });
});

describe("probe with a store", () => {
  test("v1watch probe with a store records its cycle and counts its requests in an existing store, and creates no store", async () => {
    const simulator = await startSimulator({ passports: 50 });
    try {
      const probe = (store: string) =>
        run("probe", "--base-url", simulator.url, "--allow-loopback", "--store", store);
      const before = JSON.parse(
        (await run("status", "undocumented", "--store", sunset, "--json")).out,
      ).responses;
      expect((await probe(sunset)).out).toMatch(/3 requests \(4,997 of 5,000 left this month\)/);
      expect(
        JSON.parse((await run("status", "undocumented", "--store", sunset, "--json")).out).responses,
      ).toBe(before + 3);
      const owner = openStore(sunset, { mode: "own" });
      expect((await probe(sunset)).out).toContain(
        "counted but not recorded, because a running watch owns the store",
      );
      if (owner.kind === "open") owner.store.close();
      expect((await probe(join(folder, "nowhere.db"))).out).toMatch(/3 requests\n/);
      expect(existsSync(join(folder, "nowhere.db"))).toBe(false);
    } finally {
      await simulator.close();
    }
  });
});

test("Commands print cause and remedy for a store that cannot be opened", async () => {
  const errorOf = async (command: string[], store: string) => (await run(...command, "--store", store)).err;
  expect(await errorOf(["status"], folder)).toMatch(
    /cannot be read: it is a folder, .* Set a file with --store/,
  );
  expect(await errorOf(["up", "--once"], folder)).toMatch(/cannot be used: it is a folder, .* Set a file/);
  const text = join(folder, "text.db");
  await writeFile(text, "no database ".repeat(1_000));
  for (const command of [
    ["incidents"],
    ["store", "export"],
    ["store", "backup", join(folder, "copy.db")],
    ["notify", "--drill"],
  ])
    expect(await errorOf(command, text)).toMatch(
      /: it is not a v1watch store\. Use another store with --store/,
    );
});

test("v1watch store export and backup print a remedy for an unwritable file", async () => {
  for (const command of ["export", "backup"]) {
    const { code, err } = await run("store", command, join(folder, "no", "x"), "--store", sunset);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/x": its folder does not exist\. Create the folder first\n$/),
    ]);
    expect((await run("store", command, sunset, "--store", sunset)).err).toMatch(
      /is not overwritten\. Choose another file/,
    );
  }
});

test("Commands that read a store say how to create one if it does not exist", async () => {
  for (const command of ["status", "incidents", "store export"]) {
    const { code, err } = await run(...command.split(" "), "--store", join(folder, "nowhere.db"));
    expect(code).toBe(2);
    // Where `npm start` ran in this folder, the store of the simulator is named too.
    expect(err).toMatch(/start `v1watch up/i);
  }
});
