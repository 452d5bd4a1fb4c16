// Minimal valid observations, alerts and outbox messages for tests.
import { endpointIds } from "../../lib/contract/endpoints.ts";
import type { OutboxMessage } from "../../lib/ports.ts";
import { type Alert, alert } from "../../lib/records/alert.ts";
import { type Observation, observation } from "../../lib/records/observation.ts";

export const startMs = Date.parse("2026-11-01T00:00:00Z");
export const minuteMs = 60_000;
export const dayMs = 86_400_000;

const endpoints = ["passport-list", "passport", "passport-credentials"] as const;

/** The n-th observation of a monitor with a tick every 30 minutes; the endpoints alternate. */
export function sampleObservation(number: number, change: Partial<Observation> = {}): Observation {
  const endpoint = endpoints[number % 3] ?? "passport";
  const at = new Date(startMs + Math.floor(number / 3) * 30 * minuteMs).toISOString();
  return observation.parse({
    schema: "v1watch/observation/2",
    id: `${endpoint}/authenticated/${at}`,
    endpoint,
    variant: "authenticated",
    at,
    reason: "scheduled",
    isPrimary: true,
    attempts: [{ kind: "ok", totalMs: 120 + (number % 7) }],
    outcome: { kind: "ok", status: 200 },
    timings: { totalMs: 120 + (number % 7) },
    bytes: { wire: 900, body: 2_000 },
    tls: null,
    findings: [],
    findingsOmitted: 0,
    staleness: null,
    notices: {},
    evidence: [],
    ...change,
  });
}

export function sampleAlert(number: number, change: Partial<Alert> = {}): Alert {
  const at = new Date(startMs + number * minuteMs).toISOString();
  return alert.parse({
    schema: "v1watch/alert/3",
    id: `down-${at.replace(/[-:.]/g, "")}/1-opened`,
    event: "opened",
    at,
    severity: "page",
    rule: "down",
    scope: "api",
    endpoints: [...endpointIds],
    subject: "[v1watch] PAGE: V1 is down on all 3 endpoints",
    sections: [
      { label: "", lines: ["V1 returns 503."] },
      { label: "Next steps", lines: ["Wait — then check again."] },
    ],
    facts: null,
    links: {},
    ...change,
  });
}

/** One section of sentences. */
export const sentences = (...lines: string[]): Alert["sections"] => [{ label: "", lines }];

export function alertMessage(number: number): OutboxMessage {
  const sample = sampleAlert(number);
  return { id: sample.id, kind: "alert", alert: sample };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
