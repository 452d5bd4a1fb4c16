// The settings that every channel has: its name, and which alerts it gets.
import * as z from "zod";
import { alertEvents } from "../records/alert.ts";
import { severities } from "../records/incident.ts";

const list = <const Options extends readonly [string, ...string[]]>(options: Options, what: string) => {
  const error = `a list of ${what} (${options.map((option) => `"${option}"`).join(", ")})`;
  return z.array(z.enum(options, { error }), { error }).min(1, { error });
};

export type AlertEvent = (typeof alertEvents)[number];

/** For services that have incidents: digests and countdowns are none. */
export const incidentEvents: readonly AlertEvent[] = alertEvents.filter(
  (event) => event !== "countdown" && event !== "digest",
);

/** `page` (the dashboard) and `metrics` are receivers of the watch itself. */
const nameForm = 'the name of a channel (small letters, digits and -, such as "on-call")';
const channelName = z
  .string({ error: nameForm })
  .regex(/^(?!(?:page|metrics)$)[a-z0-9][a-z0-9-]{0,39}$/, { error: nameForm })
  .describe("The name of the channel. Under another name it is a new channel.");

export const sharedSettings = (events: readonly AlertEvent[] = alertEvents) => ({
  name: channelName,
  severities: list(severities, "severities")
    .default([...severities])
    .describe("The severities that the channel gets. RESOLVED has the severity of its incident."),
  events: list(alertEvents, "events")
    .default([...events])
    .describe("The events that the channel gets. A drill is sent to every channel."),
});
