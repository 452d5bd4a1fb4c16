// The law that `ready` and `report` say the same, over random teams, watches and instants; and what both say while V1 is gone.
import { expect, test } from "vitest";
import type { Report } from "../../../lib/records/report.ts";
import { dayMs, hourMs } from "../../../lib/time.ts";
import { fc, runs } from "../../random.ts";
import { run } from "../terminal.ts";
import { projects } from "./projects.ts";
import { calm, writeTeam } from "./team.ts";

const readyJson = async (args: readonly string[]) =>
  JSON.parse((await run(["ready", ...args, "--json"])).out);
const reportText = async (args: readonly string[], format = "json") =>
  (await run(["report", ...args, "--format", format, "--out", "-"])).out;

const teams = fc.record({
  project: fc.constantFrom(...Object.keys(projects)),
  watch: fc.record({
    silentHours: fc.constantFrom(0, 0.3, 1, 5, 80),
    sunsetInDays: fc.constantFrom(-20, 0, 1, 200),
    drift: fc.constantFrom<string[][]>([], ["passport.score"]),
    drillDaysAgo: fc.constantFrom(null, 0, 3, 30, 31),
    goneTicks: fc.constantFrom(0, 0, 2, 6),
  }),
  hasNoUses: fc.boolean(),
  parityMinutesAgo: fc.constantFrom(0, 20, 90, 600, 29.5 * 1_440, 30.5 * 1_440, 50 * 1_440),
});

/** Hours from now; undefined where the clock decides. */
const instants = fc.constantFrom(undefined, -2, -0.2, 0, 5, 30, 24 * 20, 24 * 250);

test("The same input gives `ready` and `report` the same verdict, gates and blockers, whatever was observed last", async () => {
  await fc.assert(
    fc.asyncProperty(teams, instants, async (team, hours) => {
      const args = await writeTeam(team);
      if (hours !== undefined) args.push("--at", new Date(Date.now() + hours * hourMs).toISOString());
      const { verdict, sentence, gates, blockers, monitor } = await readyJson(args);
      const report = JSON.parse(await reportText(args)) as Report;
      expect({
        verdict: report.verdict,
        gates: report.gates,
        blockers: report.blockers,
        monitor: report.monitor,
      }).toEqual({
        verdict: { verdict, sentence },
        gates,
        blockers,
        monitor,
      });
    }),
    { numRuns: runs(20) },
  );
});

test("The same data gives the same bytes at any hour of a day in UTC", async () => {
  await fc.assert(
    fc.asyncProperty(teams, fc.integer({ min: 1, max: 40 }), async (team, days) => {
      const args = await writeTeam(team);
      // V1 is unknown all day, the day after the last check or later.
      const day = new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
      const at = (clock: string) => [...args, "--at", `${day}T${clock}Z`];
      for (const format of ["json", "markdown"])
        expect(await reportText(at("23:58"), format)).toBe(await reportText(at("12:01"), format));
      expect(await readyJson(at("23:58"))).toEqual(await readyJson(at("12:01")));
    }),
    { numRuns: runs(10) },
  );
});

test("A comparison made after the last check is evidence for `report` as for `ready`", async () => {
  const args = await writeTeam({ project: "moved", watch: { ...calm, silentHours: 1 } });
  const { gates, verdict } = JSON.parse(await reportText(args)) as Report;
  expect(gates.find(({ id }) => id === "parity")).toMatchObject({ state: "pass" });
  expect(verdict.verdict).toBe("ready");
});

test("While V1 is gone, neither the report nor `ready` promises days, a margin or no drift", async () => {
  const args = await writeTeam({ project: "moved", watch: { ...calm, goneTicks: 6 } });
  const { gates } = await readyJson(args);
  const stateOf = (id: string) => gates.find((gate: { id: string }) => gate.id === id);
  expect(stateOf("time")).toMatchObject({
    state: "unknown",
    problem: expect.stringMatching(/^V1's end may have come \(V1 /),
  });
  expect(stateOf("drift")).toMatchObject({
    state: "unknown",
    problem: expect.stringMatching(/^V1's data cannot be seen: V1 /),
  });
  const report = JSON.parse(await reportText(args)) as Report;
  expect(report.timeLeft).toMatchObject({ date: expect.any(String), end: expect.stringContaining("410") });
  expect(report.timeLeft.daysLeft).toBeUndefined();
  const page = await reportText(args, "markdown");
  expect(page).toContain("Perhaps over");
  expect(page).not.toMatch(/\b(?:199|200) days\b/);
});

test("V1 is gone and the scan of at least one file found no use of it: what is about V1's data is moot and says so", async () => {
  const args = await writeTeam({ project: "moved", watch: { ...calm, goneTicks: 6 }, hasNoUses: true });
  const { gates, verdict } = await readyJson(args);
  expect(verdict).toBe("ready");
  const evidenceOf = (id: string) => gates.find((gate: { id: string }) => gate.id === id).evidence.join("; ");
  expect(evidenceOf("drift")).toBe("no V1 field is in use in 31 files of app, so V1's data does not matter");
  expect(evidenceOf("time")).toBe("no consumer needs migration work in 31 files of app");
});

test.each(["yesterday", "2026-11-15T12:00", "2026-13-40"])("--at refuses %s", async (at) => {
  for (const command of ["ready", "report"])
    expect(await run([command, "--at", at])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--at must be an instant/),
    });
});
