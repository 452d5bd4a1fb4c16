// A test event that takes the alerts' own way: it looks like one, and says in every form that it is none.
import type { Alert } from "../records/alert.ts";

/** By its instant, so that a drill sent twice is one drill. */
export function drillAlert(at: string): Alert {
  const instant = new Date(at).toISOString();
  const clock = `${instant.slice(11, 16)} UTC`;
  return {
    schema: "v1watch/alert/1",
    id: `drill@${instant}/drill`,
    event: "drill",
    at: instant,
    severity: "info",
    kind: "monitor",
    endpoint: "all",
    incident: "drill",
    since: instant,
    subject: `[v1watch] DRILL at ${clock}: nothing is wrong`,
    sms: `v1watch: DRILL at ${clock}, nothing is wrong. Alerts reach you.`,
    body: [
      `This is a drill, sent at ${instant.slice(0, 10)} ${clock}. Nothing is wrong with V1.`,
      "It took the way of every alert, so alerts reach you. There is nothing to do.",
      "",
    ].join("\n"),
    runbook: "undelivered",
  };
}
