import { assessmentSettings } from "../config/assessment-settings.ts";
import { type Config, durationMs } from "../config/config.ts";
import { tickMs } from "../config/tick.ts";

/** For the probers: nothing that only a laptop or the stack needs. */
export function probeSettings(config: Config): string {
  const { aws: _aws, store: _store, alerts: _alerts, $schema: _schema, ...rest } = config;
  const { publicUrl: _page, runbookUrl: _runbook, inventory: _inventory, ...settings } = rest;
  return JSON.stringify(settings);
}

/** The team's inventory, so that alerts name the code that a fault affects. */
export function inventoryFile(team: string | undefined): Record<string, string> {
  const { inventory } = JSON.parse(team ?? "{}") as { inventory?: unknown };
  return inventory ? { "inventory.json": JSON.stringify(inventory) } : {};
}

/** A check is made at the next start of its prober, and known at the next start of the assessment. */
export function assessSettings(config: Config): string {
  const settings = assessmentSettings(config);
  const lateMs = settings.lateMs + tickMs(config) + durationMs(config.aws.assessEvery);
  return JSON.stringify({ ...settings, lateMs });
}
