// The least that can be deployed, and changes to it.
import { type Config, loadConfig } from "../../lib/config/config.ts";

export const deployable = {
  baseUrl: "https://api.example.com",
  key: { ssm: "/v1watch/key" },
  samples: { ids: [1] },
  aws: { subscriptions: [{ email: "team@example.com" }] },
};

/** One of every kind. */
export const everySubscription = [
  { email: "team@example.com" },
  { https: "https://hooks.example.com/v1watch" },
  { sqs: "arn:aws:sqs:us-east-1:123456789012:alerts" },
  { lambda: "arn:aws:lambda:us-east-1:123456789012:function:alerts" },
  { slack: { workspaceId: "T0123ABCD", channelId: "C0123ABCD" } },
];

export function configure(change: object = {}): Config {
  const text = JSON.stringify({ ...deployable, ...change });
  const loaded = loadConfig({ fileText: text, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  return loaded.config;
}
