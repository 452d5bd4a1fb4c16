// The configuration that ships: what a team gets that names V1's address and nothing else.
import { alarmSettings, assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { type Config, loadConfig } from "../../lib/config/config.ts";

/** The shipped configuration with the given settings, for a test that is about them. */
export function shippedConfig(settings: object = {}): Config {
  const fileText = JSON.stringify({ baseUrl: "https://api.example.com", ...settings });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  return loaded.config;
}

export const shippedAlarmSettings = alarmSettings(shippedConfig());
export const shippedSettings = { ...assessmentSettings(shippedConfig()), decisions: [] };
