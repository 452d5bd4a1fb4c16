// What the functions are told of the configuration, as text for their environment.
import { assessmentSettings, type Config } from "../config.ts";

/** For the probers: nothing that only a laptop or the stack needs. */
export function probeSettings({ aws: _aws, store: _store, $schema: _schema, ...config }: Config): string {
  return JSON.stringify(config);
}

export const assessSettings = (config: Config): string => JSON.stringify(assessmentSettings(config));
