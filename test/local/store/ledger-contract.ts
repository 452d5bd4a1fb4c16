// The contract of the ledger port, run by the tests of each implementation.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Ledger } from "../../../lib/ports.ts";
import type { Decision } from "../../../lib/records/incident.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { fc } from "../../random.ts";
import { collect, dayMs, minuteMs, sampleObservation, startMs } from "../samples.ts";
import { assess, foldAll, readState } from "../small-assessment.ts";

export type Bounds = { appends: number; runs: number };
type Open = () => Ledger | Promise<Ledger>;

const all = (ledger: Ledger) => collect(ledger.observations(0, Date.parse("2100-01-01")));
const ids = async (ledger: Ledger) => (await ledger.backlog()).unassessed.map(({ id }) => id);

export function describeLedger(name: string, open: Open, { appends, runs }: Bounds): void {
  describe(`${name}: observations`, () => {
    test("A repeated append returns `known` and the first observation is kept", async () => {
      const ledger = await open();
      const first = sampleObservation(1);
      expect(await ledger.append(first)).toEqual({ kind: "new" });
      // The same tick can be repeated with other content, for example by a second invocation after midnight.
      const second = {
        ...first,
        at: new Date(Date.parse(first.at) + dayMs).toISOString(),
        findingsOmitted: 3,
      };
      for (let replay = 0; replay < Math.min(appends, 100); replay += 1)
        expect(await ledger.append(second)).toEqual({ kind: "known" });
      expect(await all(ledger)).toEqual([first]);
      expect(await ids(ledger)).toEqual([first.id]);
    });

    test("Observations are read in the order of (at, id), from inclusive and until exclusive, in any precision of `at`", async () => {
      const ledger = await open();
      const at = (text: string, id: string) => sampleObservation(0, { at: text, id });
      const ordered = [
        at("2026-11-01T00:00:00Z", "b"),
        at("2026-11-01T00:00:00.250Z", "A"),
        at("2026-11-01T00:00:01Z", "c"),
        sampleObservation(1, { at: "2026-11-01T00:00:01.000Z", id: "d" }),
        at("2026-11-01T00:00:01.001Z", "0"),
      ];
      for (const observation of ordered.toReversed()) await ledger.append(observation);
      expect(await all(ledger)).toEqual(ordered);
      expect((await ledger.backlog()).unassessed.map(({ id }) => id)).toEqual(["b", "A", "c", "d", "0"]);
      const part = await collect(ledger.observations(startMs + 250, startMs + 1_001));
      expect(part.map(({ id }) => id)).toEqual(["A", "c", "d"]);
      expect(await collect(ledger.observations(startMs, startMs))).toEqual([]);
      expect(await collect(ledger.observations(startMs, startMs - 1))).toEqual([]);
      expect(await collect(ledger.observations(-1, Number.POSITIVE_INFINITY))).toHaveLength(5);
    });

    test(`${appends} duplicated and reordered appends result in the same set and the same state`, async () => {
      const ledger = await open();
      const count = Math.ceil(appends / 4);
      const samples = Array.from({ length: count }, (_, number) => sampleObservation(number));
      let newCount = 0;
      for (let number = 0; number < appends; number += 1) {
        // A stride without a common factor visits all samples in an order unrelated to time.
        const sample = samples[(number * 7_919) % count] ?? sampleObservation(0);
        if ((await ledger.append(sample)).kind === "new") newCount += 1;
        if (number === Math.floor(appends / 3)) await assess(ledger);
      }
      expect(newCount).toBe(count);
      expect(await assess(ledger)).toBe(true);
      expect(await readState(ledger)).toEqual(foldAll(samples));
      expect(await ids(ledger)).toEqual([]);
    });

    test("Any order, repetition and interleaving of appends and assessments results in the same state", async () => {
      const step = fc.oneof(
        { weight: 6, arbitrary: fc.nat(199).map((number) => ({ kind: "append" as const, number })) },
        { weight: 1, arbitrary: fc.constant({ kind: "assess" as const }) },
        { weight: 1, arbitrary: fc.nat(199).map((number) => ({ kind: "during" as const, number })) },
        { weight: 1, arbitrary: fc.constant({ kind: "race" as const }) },
      );
      const steps = fc.array(step, { minLength: 5, maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(steps, async (actions) => {
          const ledger = await open();
          const appended = new Map<string, ReturnType<typeof sampleObservation>>();
          const append = async (number: number) => {
            const sample = sampleObservation(number * 5);
            const { kind } = await ledger.append(sample);
            expect(kind).toBe(appended.has(sample.id) ? "known" : "new");
            appended.set(sample.id, sample);
          };
          for (const action of actions) {
            if (action.kind === "append") await append(action.number);
            if (action.kind === "assess") expect(await assess(ledger)).toBe(true);
            if (action.kind === "during")
              expect(await assess(ledger, () => append(action.number))).toBe(true);
            if (action.kind === "race") {
              const hasWork = (await ids(ledger)).length > 0;
              const isFirst = assess(ledger, async () => expect(await assess(ledger)).toBe(true));
              expect(await isFirst).toBe(!hasWork);
            }
            expect(await readState(ledger)).toEqual(foldAll([...appended.values()]));
          }
          expect(await assess(ledger)).toBe(true);
          expect(await ids(ledger)).toEqual([]);
          expect(await readState(ledger)).toEqual(foldAll([...appended.values()]));
        }),
        { numRuns: runs },
      );
    });
  });

  describe(`${name}: assessments`, () => {
    test("An observation appended during an assessment stays unassessed, even on the same day", async () => {
      const ledger = await open();
      await ledger.append(sampleObservation(0));
      const late = sampleObservation(1);
      expect(await assess(ledger, async () => void (await ledger.append(late)))).toBe(true);
      expect(await ids(ledger)).toEqual([late.id]);
    });

    test("A commit with an outdated version is refused completely", async () => {
      const ledger = await open();
      const sample = sampleObservation(0);
      await ledger.append(sample);
      const [one, other] = [await ledger.backlog(), await ledger.backlog()];
      const commit = (version: number, state: string) =>
        ledger.commit({ version, folded: [sample], checkpoints: [{ day: "2026-11-02", state }] });
      const outcomes = await Promise.all([commit(one.version, "one"), commit(other.version, "other")]);
      expect(outcomes.toSorted()).toEqual([false, true]);
      const winner = outcomes[0] ? "one" : "other";
      expect(await ledger.checkpointAt("2026-11-02")).toEqual({ day: "2026-11-02", state: winner });
      expect(await commit(one.version, "late")).toBe(false);
      expect(await ledger.checkpointAt("2026-11-02")).toEqual({ day: "2026-11-02", state: winner });
    });

    test("The newest checkpoint at or before a day is returned, and later ones are dropped when an earlier day is folded again", async () => {
      const ledger = await open();
      const days = ["2026-11-02", "2026-11-03", "2026-11-05"];
      const commit = async (folded: { id: string; at: string }[], checkpoints: string[], label: string) =>
        ledger.commit({
          version: (await ledger.backlog()).version,
          folded,
          checkpoints: checkpoints.map((day) => ({ day, state: { label, day } })),
        });
      expect(await ledger.checkpointAt("2026-11-09")).toBeUndefined();
      expect(await commit([], days, "old")).toBe(true);
      expect(await ledger.checkpointAt("2026-11-01")).toBeUndefined();
      expect((await ledger.checkpointAt("2026-11-04"))?.day).toBe("2026-11-03");
      expect((await ledger.checkpointAt("2026-11-09"))?.day).toBe("2026-11-05");
      const late = sampleObservation(0, { id: "late", at: "2026-11-02T10:00:00Z" });
      await ledger.append(late);
      expect(await commit([late], ["2026-11-04"], "new")).toBe(true);
      expect(await ledger.checkpointAt("2026-11-09")).toEqual({
        day: "2026-11-04",
        state: { label: "new", day: "2026-11-04" },
      });
      expect((await ledger.checkpointAt("2026-11-03"))?.day).toBe("2026-11-02");
    });

    test("Within a day the latest two checkpoints are kept, until an earlier observation is folded", async () => {
      const ledger = await open();
      const commit = async (folded: { id: string; at: string }[], days: string[]) =>
        ledger.commit({
          version: (await ledger.backlog()).version,
          folded,
          checkpoints: days.map((day) => ({ day, state: day })),
        });
      const at = (time: string) => `2026-11-02T${time}:00.000Z`;
      const newest = async (day: string) => (await ledger.checkpointAt(day))?.state;
      await commit([], ["2026-11-02", at("01:00")]);
      await commit([sampleObservation(0, { id: "one", at: at("01:00") })], [at("02:00")]);
      await commit([sampleObservation(0, { id: "two", at: at("02:10") })], [at("03:00")]);
      expect(await newest(at("01:59"))).toBe("2026-11-02");
      expect(await newest(at("02:00"))).toBe(at("02:00"));
      expect(await newest("2026-11-09")).toBe(at("03:00"));
      await commit([sampleObservation(0, { id: "late", at: at("02:30") })], []);
      expect(await newest("2026-11-09")).toBe(at("02:00"));
    });

    test("An incompressible state of one megabyte is read back unchanged", async () => {
      const ledger = await open();
      for (const size of [1, 1_000_000]) {
        const state = { noise: randomBytes(size).toString("base64") };
        const { version } = await ledger.backlog();
        expect(
          await ledger.commit({ version, folded: [], checkpoints: [{ day: "2026-11-02", state }] }),
        ).toBe(true);
        expect(await ledger.checkpointAt("2026-11-02")).toEqual({ day: "2026-11-02", state });
      }
    });
  });

  describe(`${name}: probe state and decisions`, () => {
    test("Concurrent writers of the probe state lose no request, because a conflicting write is refused", async () => {
      const ledger = await open();
      expect(await ledger.readProbeState()).toBeUndefined();
      const spend = async (): Promise<void> => {
        const read = await ledger.readProbeState();
        const spent = (read?.value.spent["2026-11"] ?? 0) + 1;
        const probeState = { ...(read?.value ?? emptyProbeState), spent: { "2026-11": spent } };
        const { kind } = await ledger.writeProbeState(probeState, read?.version ?? 0);
        if (kind !== "written") return spend();
      };
      await Promise.all([spend(), spend(), spend(), spend(), spend()]);
      const read = await ledger.readProbeState();
      expect(read?.value.spent).toEqual({ "2026-11": 5 });
      expect(await ledger.writeProbeState(emptyProbeState, 0)).toEqual({ kind: "conflict" });
      expect(await ledger.writeProbeState(emptyProbeState, (read?.version ?? 0) + 1)).toEqual({
        kind: "conflict",
      });
    });

    test("The status of the subscriptions replaces the one before", async () => {
      const ledger = await open();
      expect(await ledger.subscriptionStatus()).toBeUndefined();
      const status = {
        at: "2026-11-01T00:00:00.000Z",
        expected: 2,
        confirmed: 1,
        unconfirmed: ["email t***@x.org"],
      };
      await ledger.saveSubscriptionStatus(status);
      const later = { ...status, at: "2026-11-02T00:00:00.000Z", confirmed: 2, unconfirmed: [] };
      await ledger.saveSubscriptionStatus(later);
      expect(await ledger.subscriptionStatus()).toEqual(later);
    });

    test("The settings of the watch replace those before", async () => {
      const ledger = await open();
      expect(await ledger.settings()).toBeUndefined();
      const settings = { baseUrl: "https://api.example.com", monthlyRequests: 5_000, silentAfterMs: 60_000 };
      await ledger.saveSettings(settings);
      await ledger.saveSettings({ ...settings, pageAfterMs: 90_000 });
      expect(await ledger.settings()).toEqual({ ...settings, pageAfterMs: 90_000 });
    });

    test("Decisions are kept in order, and a decision recorded twice is stored once", async () => {
      const ledger = await open();
      const decide = (minute: number, subject: string): Decision => ({
        schema: "v1watch/decision/1",
        kind: "ack",
        subject,
        reason: "known",
        at: new Date(startMs + minute * minuteMs).toISOString(),
      });
      const [first, second] = [decide(1, "down"), decide(2, "drift/breaking passport")];
      for (const decision of [second, first, second]) await ledger.decide(decision);
      expect(await ledger.decisions()).toEqual([first, second]);
    });
  });
}
