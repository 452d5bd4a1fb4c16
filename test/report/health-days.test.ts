import { join } from "node:path";
import { expect, test } from "vitest";
import { observationsUntil } from "../../bench/report-year.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { countsTowardsHealth } from "../../lib/local/store/history.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { readHealthDays, summarizeChecks, summarizeDays } from "../../lib/report/health-days.ts";
import { observationOf } from "../assess/observation-builder.ts";
import { makeFolder } from "../local/temporary-folder.ts";

const dayMs = 86_400_000;
const folder = makeFolder();

test("readHealthDays returns the same days as the summaries of the store", async () => {
  const opened = openStore(join(folder, "watch.db"), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  const endMs = Date.parse("2026-11-15T12:00:00Z");
  for (const observation of observationsUntil(endMs, 4)) await store.ledger.append(observation);
  await store.ledger.append(observationOf({ at: endMs + 60_000, status: 401 }));
  await store.ledger.append(observationOf({ at: endMs + 120_000, status: 429 }));
  await store.ledger.append(observationOf({ at: endMs + 180_000, outcome: { kind: "no-secret" } }));
  const span = { fromMs: Date.parse("2026-11-11"), untilMs: endMs + dayMs };
  const streamed = await readHealthDays(store.ledger.observations(span.fromMs, span.untilMs));
  for (const endpoint of endpointIds)
    expect(streamed[endpoint]).toEqual(
      summarizeDays(store.history.checks(endpoint, span).filter(countsTowardsHealth)),
    );
  expect(streamed["passport-list"].at(-1)).toMatchObject({ day: "2026-11-15", unauthorized: 1 });
  // The page asks SQLite for the same figures, of any span.
  for (const endpoint of endpointIds)
    for (const fromMs of [span.fromMs, endMs - dayMs, endMs - 3_600_000, endMs + 60_000, span.untilMs]) {
      const part = { fromMs, untilMs: span.untilMs };
      const checks = store.history.checks(endpoint, part).filter(countsTowardsHealth);
      expect(store.history.health(endpoint, part)).toEqual(summarizeChecks(checks));
    }
  store.close();
});

test("readHealthDays has the p95 of the successful checks, the least age, and no day without a response", async () => {
  const muted = { muted: true };
  const aged = (newest: number) => ({
    muted: false,
    ages: { newest, p50: newest, p95: newest, oldest: newest },
  });
  const at = (hour: number) => `2026-11-03T${String(hour).padStart(2, "0")}:00:00Z`;
  const latencies = Array.from({ length: 20 }, (_, hour) =>
    observationOf({
      at: at(hour),
      timings: { totalMs: 100 + hour },
      staleness: hour === 5 ? aged(60) : aged(90),
    }),
  );
  const days = await readHealthDays([
    observationOf({ at: "2026-11-01T00:00:00Z", status: 503 }),
    ...latencies,
    observationOf({ at: at(21), status: 401 }),
    observationOf({ at: at(22), variant: "anonymous", status: 401 }),
    observationOf({ at: "2026-11-04T00:00:00Z", staleness: muted }),
  ]);
  expect(days["passport-list"]).toEqual([
    { day: "2026-11-01", answers: 1, ok: 0, unauthorized: 0, p95Ms: null, newestAgeSeconds: null },
    { day: "2026-11-03", answers: 21, ok: 20, unauthorized: 1, p95Ms: 118, newestAgeSeconds: 60 },
    { day: "2026-11-04", answers: 1, ok: 1, unauthorized: 0, p95Ms: 150, newestAgeSeconds: null },
  ]);
});
