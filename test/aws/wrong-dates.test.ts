// Checks that a wrong clock has dated, among the others: the incidents do not depend on the order in which they arrive, or on the store.
import { expect, test } from "vitest";
import { assess, type Memory, readAssessment } from "../../lib/assess/assess.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { createOutbox } from "../../lib/aws/outbox.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { Ledger, Outbox } from "../../lib/ports.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { settings, startMs, watch } from "../assess/driver.ts";
import { hourMs, minuteMs } from "../assess/observation-builder.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { fc, runs } from "../random.ts";
import { startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();

const endMs = startMs + 6 * hourMs;
const { observations: right } = watch(
  ({ atMs }) => (atMs > startMs + hourMs && atMs < startMs + 3 * hourMs ? { status: 503 } : {}),
  { days: 0.25 },
);
/** Good checks while V1 fails. */
const wrong = right.slice(0, 9).map((one, index): Observation => {
  const at = new Date(startMs + 2 * hourMs + index * minuteMs).toISOString();
  return { ...one, id: `${one.endpoint}/${one.variant}/${at}`, at, isDateWrong: true };
});

async function listIncidents(
  { ledger, outbox }: { ledger: Ledger; outbox: Outbox },
  parts: readonly (readonly Observation[])[],
) {
  const memory: Memory = {};
  const ports = {
    nowMs: () => endMs,
    readKey: async () => ({ kind: "none" }) as const,
    ledger,
    outbox,
    receivers: [acceptAlerts()],
  };
  for (const part of parts) {
    for (const one of part) await ledger.append(one);
    await assess(ports, settings, memory);
  }
  expect((await ledger.backlog()).unassessed).toEqual([]);
  const { state } = await readAssessment(ledger, settings, endMs);
  return { incidents: state.incidents, resolved: state.resolved, observations: state.observations };
}

test("Checks with a wrong date change no incident, in any order of arrival, in SQLite and in DynamoDB", async () => {
  const all = [...right, ...wrong];
  const expected = await listIncidents(
    openMemoryStore(() => endMs),
    [right],
  );
  expect(expected.resolved.map(({ rule }) => rule)).toEqual(["down"]);
  const order = fc.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.nat(all.length));
  await fc.assert(
    fc.asyncProperty(order, async ([shuffled, cut]) => {
      const parts = [shuffled.slice(0, cut), shuffled.slice(cut)];
      expect(
        await listIncidents(
          openMemoryStore(() => endMs),
          parts,
        ),
      ).toEqual(expected);
      const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
      const table = {
        ledger: createLedger({ ...options, nowMs: () => endMs }),
        outbox: createOutbox(options),
      };
      expect(await listIncidents(table, parts)).toEqual(expected);
    }),
    { numRuns: runs(1) },
  );
});
