// What the functions are told of the configuration, as text for their environment.
import { assessmentSettings, type Config } from "../config.ts";

/** For the probers: nothing that only a laptop or the stack needs. */
export function probeSettings(config: Config): string {
  const { aws: _aws, store: _store, alerts: _alerts, $schema: _schema, ...settings } = config;
  return JSON.stringify(settings);
}

export const assessSettings = (config: Config): string => JSON.stringify(assessmentSettings(config));
