import { join } from "node:path";
import { expect, test } from "vitest";
import { observationsUntil } from "../../bench/report-year.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { createHealthDays, readHealthDays } from "../../lib/report/health-days.ts";
import { observationOf } from "../assess/observation-builder.ts";
import { makeFolder } from "../local/temporary-folder.ts";

const dayMs = 86_400_000;
const folder = makeFolder();

test("readHealthDays returns the same days as the store's buckets", async () => {
  const opened = openStore(join(folder, "watch.db"), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { store } = opened;
  const endMs = Date.parse("2026-11-15T12:00:00Z");
  for (const observation of observationsUntil(endMs, 4)) await store.ledger.append(observation);
  await store.ledger.append(observationOf({ at: endMs + 60_000, status: 401 }));
  await store.ledger.append(observationOf({ at: endMs + 120_000, status: 429 }));
  await store.ledger.append(observationOf({ at: endMs + 180_000, outcome: { kind: "no-secret" } }));
  const fromMs = Date.parse("2026-11-11");
  const streamed = await readHealthDays(store.ledger.observations(fromMs, endMs + dayMs));
  for (const endpoint of endpointIds) {
    const { buckets } = store.history.buckets(endpoint, { fromMs, untilMs: endMs + dayMs }, dayMs);
    expect(streamed[endpoint]).toEqual(
      buckets.map(({ index, responses, breaking: _, ...row }) => ({
        day: new Date(fromMs + index * dayMs).toISOString().slice(0, 10),
        answers: responses,
        ...row,
      })),
    );
  }
  expect(streamed["passport-list"].at(-1)).toMatchObject({ day: "2026-11-15", unauthorized: 1 });
  store.close();
});

test("createHealthDays omits days without a response and reports an unknown age as null", () => {
  const days = createHealthDays();
  days.add(observationOf({ at: "2026-11-01T00:00:00Z", status: 503 }));
  days.add(observationOf({ at: "2026-11-03T00:00:00Z", staleness: { muted: true } }));
  days.add(observationOf({ at: "2026-11-03T01:00:00Z", variant: "anonymous", status: 401 }));
  expect(days.finish()["passport-list"]).toEqual([
    { day: "2026-11-01", answers: 1, ok: 0, unauthorized: 0, p95Ms: null, newestAgeSeconds: null },
    { day: "2026-11-03", answers: 1, ok: 1, unauthorized: 0, p95Ms: 150, newestAgeSeconds: null },
  ]);
});
