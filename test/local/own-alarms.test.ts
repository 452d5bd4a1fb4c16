// The laws of the monitor's alarms about itself, over random evidence, restarts and receivers that fail.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createOwnAlarms } from "../../lib/local/own-alarms.ts";
import { openReservedFile, type ReservedFile } from "../../lib/local/store/reserved-file.ts";
import type { Receiver } from "../../lib/ports.ts";
import { type Alert, alert as alertSchema, incidentOf } from "../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { hourMs } from "../../lib/time.ts";
import { fc } from "../random.ts";
import { startMs } from "./samples.ts";
import { makeFolder } from "./temporary-folder.ts";

const minuteMs = 60_000;

type Step =
  | { kind: "bad" | "good" | "none" | "restart" | "receiver fails" | "receiver works" }
  | { kind: "wait"; minutes: number };

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Step>({ kind: "bad" }, { kind: "good" }, { kind: "none" }) },
    { weight: 2, arbitrary: fc.constant<Step>({ kind: "restart" }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Step>({ kind: "receiver fails" }, { kind: "receiver works" }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.nat(1_000) }) },
  ),
  { minLength: 5, maxLength: 60 },
);

/** Plays the steps, and then lets the receivers work until everything has arrived. */
async function play(file: ReservedFile, given: readonly Step[]) {
  let nowMs = startMs;
  let fails = false;
  const sent: { to: string; alert: Alert; step: number }[] = [];
  let step = 0;
  const receiver = (name: string, isFailing: () => boolean): Receiver => ({
    name,
    reachesPeople: true,
    wants: () => false,
    async send(alert) {
      if (isFailing()) throw new Error("away");
      sent.push({ to: name, alert, step });
      return acceptedByReceiver();
    },
  });
  const receivers = [receiver("steady", () => false), receiver("flaky", () => fails)];
  const start = () =>
    createOwnAlarms({
      listReceivers: () => receivers,
      file,
      context: () =>
        ({ baseUrl: "https://v1.example.com", runbookUrl: "https://example.com/runbook" }) as never,
      nowMs: () => nowMs,
    });
  let alarms = start();
  const tell = async () => {
    alarms.deliver();
    await alarms.settle();
  };
  for (const one of given) {
    step += 1;
    if (one.kind === "wait") nowMs += one.minutes * minuteMs;
    else if (one.kind === "receiver fails" || one.kind === "receiver works")
      fails = one.kind === "receiver fails";
    else if (one.kind === "restart") {
      await alarms.settle();
      alarms = start();
    } else
      alarms.note(
        "store-cannot-save",
        one.kind === "none" ? undefined : { isBad: one.kind === "bad", lines: [`It is ${one.kind}`, "Why."] },
      );
    nowMs += minuteMs;
    await tell();
  }
  fails = false;
  step = Number.POSITIVE_INFINITY;
  for (let retry = 0; retry < 3; retry += 1) {
    nowMs += hourMs;
    await tell();
  }
  return { sent, standing: alarms.standing("store-cannot-save") };
}

test("An own alarm opens on the second bad evidence, ends on good evidence alone, and is told once to everybody, whatever restarts and fails", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { sent, standing } = await play(openReservedFile(join(makeFolder(), "watch.db.alarms")), given);
      const told = sent.filter(({ to }) => to === "steady");
      let open: string | undefined;
      for (const { alert, step } of told) {
        expect(alertSchema.safeParse(alert).success).toBe(true);
        const evidence = given
          .slice(0, step)
          .map(({ kind }) => kind)
          .filter((kind) => kind === "bad" || kind === "good");
        if (alert.event === "opened") {
          expect(open).toBeUndefined();
          expect(evidence.slice(-2)).toEqual(["bad", "bad"]);
          open = incidentOf(alert);
        } else {
          expect([alert.event, incidentOf(alert)]).toEqual(["resolved", open]);
          expect(evidence.at(-1)).toBe("good");
          open = undefined;
        }
      }
      const last = given.findLast(({ kind }) => kind === "bad" || kind === "good");
      expect(standing !== undefined).toBe(last?.kind === "bad");
      if (last?.kind === "good") expect(open).toBeUndefined();
      // Everybody gets every message once, in the same order.
      const idsTo = (name: string) => sent.filter(({ to }) => to === name).map(({ alert }) => alert.id);
      expect(new Set(idsTo("steady")).size).toBe(idsTo("steady").length);
      expect(idsTo("flaky").toSorted()).toEqual(idsTo("steady").toSorted());
    }),
    { numRuns: 60 },
  );
});

test("An own alarm that comes and goes opens three times a day, and again on the next day if it is still bad", async () => {
  const cycle: Step[] = [{ kind: "bad" }, { kind: "bad" }, { kind: "good" }];
  const { sent } = await play(openReservedFile(undefined), [
    ...Array.from({ length: 6 }, () => cycle).flat(),
    ...Array.from({ length: 3 }, (): Step[] => [{ kind: "bad" }]).flat(),
    { kind: "wait", minutes: 24 * 60 },
    { kind: "bad" },
  ]);
  const events = sent.filter(({ to }) => to === "steady").map(({ alert }) => alert.event);
  expect(events.filter((event) => event === "opened")).toHaveLength(4);
  expect(events.at(-1)).toBe("opened");
});

test.each(["", "{", "[1,2]", '{"clock":{"failures":-1}}', "\0".repeat(50_000), "x".repeat(2_000_000)])(
  "A damaged alarm file is read as none (case %#)",
  async (text) => {
    const path = join(makeFolder(), "watch.db.alarms");
    writeFileSync(path, text);
    const { sent } = await play(openReservedFile(path), [{ kind: "bad" }, { kind: "bad" }, { kind: "good" }]);
    expect(sent.filter(({ to }) => to === "steady").map(({ alert }) => alert.event)).toEqual([
      "opened",
      "resolved",
    ]);
  },
);
