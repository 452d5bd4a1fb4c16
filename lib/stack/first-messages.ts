// What a first deployment sends to people before anything has happened, so that nobody takes it for an alert.
import type { Config } from "../config/config.ts";
import { plural } from "../text.ts";

export function firstMessagesText({ aws }: Config): string {
  const { subscriptions, alarms, drill, enabled, selfAlarmActions } = aws;
  const about = (target: (typeof subscriptions)[number]) => target.about?.length ?? 2;
  const toConfirm = subscriptions.filter((target) => "email" in target || "https" in target);
  const requests = toConfirm.reduce((sum, target) => sum + about(target), 0);
  const lines = [
    ...(requests > 0
      ? [
          `${plural(requests, "request")} to confirm a subscription, by AWS Notifications: one for each topic and address`,
        ]
      : []),
    ...(enabled
      ? ["v1watch-unhealthy: ALARM, then OK, until every function has run (within a quarter of an hour)"]
      : []),
    ...(enabled && alarms.notify === "fallback" ? ["each fallback- alarm: OK, once"] : []),
    ...(enabled && alarms.notify === "always" ? ["each alarm about V1: OK, once it has data"] : []),
    ...(enabled ? ["a test alert, marked as a drill, by `v1watch aws deploy`"] : []),
    ...(drill ? ["a drill of the schedule every six days"] : []),
  ];
  const ways = selfAlarmActions.length > 0 ? ", and those of alarms by aws.selfAlarmActions too" : "";
  return `A first deployment sends these messages${ways}:\n${lines.map((line) => `  - ${line}\n`).join("")}`;
}
