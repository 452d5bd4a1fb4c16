// The alert rules and the dashboard in deploy/ use only metrics that /metrics has.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { metrics } from "../../../lib/assess/metrics.ts";
import { prometheusName } from "../../../lib/local/server/metrics-and-badge.ts";
import { ruleIds, severities } from "../../../lib/records/incident.ts";

const read = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), "utf8");

const known = new Set([
  ...metrics.map(({ name, isCounter }) => `${prometheusName(name)}${isCounter ? "_total" : ""}`),
  ...[
    "up",
    "last_tick_timestamp_seconds",
    "undelivered_alerts",
    "store_degraded",
    "heap_bytes",
    "incident_open",
  ].map((name) => `v1watch_${name}`),
]);

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
};
type Panel = { title: string; targets: { expr: string }[] };

test.each([
  [
    "alert rules",
    () =>
      (parse(read("prometheus-rules.yml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) =>
        rules.map(({ expr }) => expr),
      ),
  ],
  [
    "dashboard",
    () =>
      (JSON.parse(read("grafana-dashboard.json")) as { panels: Panel[] }).panels.flatMap(({ targets }) =>
        targets.map(({ expr }) => expr),
      ),
  ],
] as const)("The %s use only metrics that exist", (_name, list) => {
  const used = list().flatMap((expression) => expression.match(/v1watch_[a-z_]+/g) ?? []);
  expect(used.length).toBeGreaterThanOrEqual(5);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test("Every alert rule has a severity of v1watch, a summary and a description", () => {
  const { groups } = parse(read("prometheus-rules.yml")) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap(({ rules }) => rules);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { labels, annotations, alert } of rules) {
    expect(severities, alert).toContain(labels.severity);
    expect(Object.keys(annotations).sort()).toEqual(["description", "summary"]);
    for (const [, rule] of annotations.description?.matchAll(/runbook under ([\w-]+)/g) ?? [])
      expect(ruleIds).toContain(rule);
  }
});
