// What the functions are told of the configuration, as text for their environment.
import type { AssessSettings } from "../assess/state.ts";
import { type Config, durationMs } from "../config.ts";

/** For the probers: nothing that only a laptop or the stack needs. */
export function probeSettings({ aws: _aws, store: _store, $schema: _schema, ...config }: Config): string {
  return JSON.stringify(config);
}

/** As in the alarm table: an hour without a run is silence, and 3 s are slow. */
const silentAfterMs = 3_600_000;
const slowMs = 3_000;

export function assessSettings({ baseUrl, retirement, staleness, budget }: Config): string {
  const settings: Omit<AssessSettings, "decisions"> = {
    baseUrl,
    runbookUrl: "docs/runbook.md",
    retirementDate: retirement.date,
    frozenAfterMs: durationMs(staleness.frozenAfter),
    slowMs,
    monthlyRequests: budget.monthlyRequests,
    silentAfterMs,
  };
  return JSON.stringify(settings);
}
