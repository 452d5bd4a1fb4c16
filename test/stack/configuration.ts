// The least that can be deployed, and changes to it.
import { type Config, loadConfig } from "../../lib/config/config.ts";

export const deployable = {
  baseUrl: "https://api.example.com",
  key: { ssm: "/v1watch/key" },
  samples: { ids: [1] },
  aws: { subscriptions: [{ email: "team@example.com" }] },
};

export function configure(change: object = {}): Config {
  const text = JSON.stringify({ ...deployable, ...change });
  const loaded = loadConfig({ fileText: text, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  return loaded.config;
}
