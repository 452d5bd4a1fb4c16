// Generates a year of observations: healthy at first, then an exhausted quota, drift, a Sunset header and
// brownouts.
import { assess } from "../lib/assess/assess.ts";
import { openStore, type Store } from "../lib/local/store/store.ts";
import type { Observation } from "../lib/records/observation.ts";

const endpoints = ["passport-list", "passport", "passport-credentials"] as const;
const roots = {
  "passport-list": "passports[]",
  passport: "passport",
  "passport-credentials": "passport_credentials[]",
};
const dayMs = 86_400_000;
const tickMs = 30 * 60_000;

/** A deterministic variation, so that every run has the same data. */
const wave = (atMs: number, place: number) =>
  Math.abs(Math.sin(atMs / 7e6 + place * 2) + Math.sin(atMs / 1.9e8));

function makeObservation(place: number, atMs: number, endMs: number, isRare = false): Observation {
  const endpoint = endpoints[place % 3] ?? "passport";
  const at = new Date(atMs).toISOString();
  const daysLeft = (endMs - atMs) / dayMs;
  const hour = new Date(atMs).getUTCHours();
  const isBrownout =
    [50, 22].some((day) => Math.ceil(daysLeft) === day) && (hour % 9) - 7 < 3 && hour >= 7 && hour < 10;
  const isQuotaExhausted = daysLeft < 130 && daysLeft > 128.6;
  const isDrifting = daysLeft < 75 && endpoint === "passport";
  const outcome: Observation["outcome"] = isBrownout
    ? { kind: "status", status: 503 }
    : isQuotaExhausted && !isRare
      ? { kind: "unauthorized", status: 401 }
      : { kind: "ok", status: 200 };
  const isOk = outcome.kind === "ok";
  const totalMs = Math.round(110 + 30 * place + 60 * wave(atMs, place) + (daysLeft < 60 ? 80 : 0));
  const frozenDays = Math.max(0, 6 - daysLeft);
  const variant = isRare ? "by-other-id" : "authenticated";
  const nulls = ["main_wallet", "last_calculated_at", "score"].map((field) => `${roots[endpoint]}.${field}`);
  return {
    schema: "v1watch/observation/2",
    id: `${endpoint}/${variant}/${at}`,
    endpoint,
    variant,
    at,
    outcome,
    reason: "scheduled",
    isPrimary: !isRare,
    attempts: [{ kind: outcome.kind, totalMs }],
    timings: { dnsMs: 3, tcpMs: 12, tlsMs: 24, firstByteMs: totalMs - 8, totalMs },
    bytes: { wire: 9_120, body: isOk ? 31_480 : 40 },
    tls: { expiresAt: "2030-03-01T00:00:00Z" },
    findings: isOk
      ? [
          ...nulls.map((path) => ({
            id: `${endpoint} ${path} null null`,
            path,
            kind: "null" as const,
            expected: "string",
            observed: "null",
            count: 3,
            of: 25,
            level: "notice" as const,
          })),
          ...(isDrifting
            ? ["follower_count", "following_count"].map((name) => ({
                id: `passport passport.passport_socials[].${name} retyped number`,
                path: `passport.passport_socials[].${name}`,
                kind: "retyped" as const,
                expected: "string",
                observed: "number",
                count: 2,
                of: 2,
                level: "breaking" as const,
              }))
            : []),
        ]
      : [],
    findingsOmitted: 0,
    staleness: isOk
      ? {
          records: 25,
          total: 5_000,
          ages: {
            newest: Math.round(5_400 + 3_000 * wave(atMs, place) + frozenDays * 86_400),
            p50: 90_000,
            p95: 1_900_000,
            oldest: 2_500_000,
          },
          dated: 25,
          missing: 0,
          null: 0,
          future: 0,
          unparsable: 0,
          calculating: 1,
          skewSeconds: 0.4,
          muted: false,
        }
      : null,
    notices: {
      ...(daysLeft < 60 &&
        isOk && { sunset: new Date(endMs + 47 * dayMs).toISOString(), links: ["sunset" as const] }),
      ...(isQuotaExhausted && { usage: { current: 5_000, limit: 5_000, exhausted: true } }),
    },
    evidence: isOk
      ? [
          ...nulls.map((subject) => ({
            gap: "2.6-null" as const,
            subject,
            of: 25,
            answers: { null: 3, string: 22 },
          })),
          ...(endpoint === "passport"
            ? [
                {
                  gap: "2.6-null" as const,
                  subject: "passport.passport_socials[]",
                  of: 2,
                  answers: {},
                },
                {
                  gap: "2.6-source" as const,
                  subject: "passport.passport_socials[].source",
                  of: 2,
                  answers: { lens: 1, ...(daysLeft < 90 ? { builderfi: 1 } : { github: 1 }) },
                },
              ]
            : []),
          ...(endpoint === "passport-list"
            ? [{ gap: "4.4-sort" as const, subject: "passports[].score", of: 1, answers: { descending: 1 } }]
            : []),
        ]
      : [],
  };
}

const rarePerDay = 6;

export function* observationsUntil(untilMs: number, days: number): Generator<Observation> {
  const endMs = Math.floor(untilMs / tickMs) * tickMs;
  for (let atMs = endMs - days * dayMs + tickMs; atMs <= endMs; atMs += tickMs) {
    for (const place of endpoints.keys()) yield makeObservation(place, atMs, endMs);
    const slot = (atMs / tickMs) % 48;
    if (slot % 8 === 0 && slot / 8 < rarePerDay) yield makeObservation(slot / 8, atMs, endMs, true);
  }
}

export function openOwn(path: string): Store {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  return opened.store;
}

/** A store with the observations, which are assessed, so that every day has a checkpoint. */
export async function createYear(path: string, endMs: number, days: number): Promise<void> {
  const store = openOwn(path);
  for (const observation of observationsUntil(endMs, days)) await store.ledger.append(observation);
  const settings = {
    baseUrl: "https://api.example.com",
    runbookUrl: "docs/use/runbook.md",
    frozenAfterMs: 36 * 3_600_000,
    slowMs: 5_000,
    monthlyRequests: 5_000,
    silentAfterMs: 2 * 3_600_000,
  };
  await assess(
    { nowMs: () => endMs, readKey: async () => ({ kind: "none" }), ...store, receivers: [] },
    settings,
  );
  store.close();
}
