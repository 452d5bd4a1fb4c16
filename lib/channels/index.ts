// The channels over HTTP. docs/develop/architecture.md says how to add one.
import { alertmanager } from "./alertmanager.ts";
import { discord } from "./discord.ts";
import { mattermost } from "./mattermost.ts";
import { ntfy } from "./ntfy.ts";
import { pagerDuty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { template } from "./template.ts";
import { webhook } from "./webhook.ts";

export const httpChannels = [
  webhook,
  slack,
  teams,
  pagerDuty,
  discord,
  mattermost,
  ntfy,
  alertmanager,
  template,
] as const;
