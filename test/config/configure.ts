// The configuration that a file with these settings gives.
import { type Config, loadConfig } from "../../lib/config/config.ts";

export function configure(settings: object = {}): Config {
  const fileText = JSON.stringify({ baseUrl: "https://api.example.com", ...settings });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  return loaded.config;
}
