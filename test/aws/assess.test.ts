// The assessment over DynamoDB after V1's last day, and with a rule that throws.
import { afterEach, expect, test, vi } from "vitest";
import { assess } from "../../lib/assess/assess.ts";
import { rules } from "../../lib/assess/rules/table.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { createOutbox } from "../../lib/aws/outbox.ts";
import type { Ports } from "../../lib/ports.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { settings, startMs, watch } from "../assess/driver.ts";
import { hourMs } from "../assess/observation-builder.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();
afterEach(() => void vi.restoreAllMocks());

test("Observations count as assessed after V1's last day, though a rule throws, and each run is a new process", async () => {
  vi.spyOn(rules.find(({ id }) => id === "slow")!, "mark").mockImplementation(() => {
    throw new RangeError();
  });
  const { observations } = watch(
    ({ atMs }) =>
      atMs < startMs + 6 * hourMs ? { notices: { sunset: "2026-03-05T00:00:00.000Z" } } : { status: 410 },
    { days: 4 },
  );
  let nowMs = startMs;
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const alerts: Alert[] = [];
  const ports: Ports = {
    nowMs: () => nowMs,
    readKey: async () => ({ kind: "none" }),
    ledger: createLedger({ ...options, nowMs: () => nowMs }),
    outbox: createOutbox(options),
    receivers: [acceptAlerts((one) => alerts.push(one))],
  };
  const { decisions: _, ...shipped } = settings;
  const given = { ...shipped, silentAfterMs: 12 * hourMs };
  // A quarter of the hours, because each observation takes several writes.
  const some = observations.filter(({ at }) => new Date(at).getUTCHours() % 4 === 0);
  const days = Map.groupBy(some, ({ at }) => at.slice(0, 10));
  for (const day of days.values()) {
    for (const observation of day) await ports.ledger.append(observation);
    nowMs = Date.parse(day.at(-1)?.at ?? "");
    await assess(ports, given);
    expect((await ports.ledger.backlog()).unassessed).toEqual([]);
  }
  const heard = alerts.map(({ rule, event }) => `${rule} ${event}`);
  expect(heard.filter((name) => name.startsWith("rule-failed"))).toEqual(["rule-failed opened"]);
  expect(alerts.find(({ rule }) => rule === "rule-failed")?.facts?.failedParts).toEqual({
    slow: "RangeError",
  });
  expect(heard).toContain("gone opened");
  expect(heard.at(-1)).toBe("retired reminder");
});
