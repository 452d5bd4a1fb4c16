// v1watch ack, mute and unmute: decisions about incidents and findings. The reason is recorded.

import { type DecisionRequest, decide as recordDecision } from "../assess/decisions.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import { momentText } from "../time.ts";
import { type Command, exitCodes, type Io, type OptionValues, UsageError } from "./command.ts";
import { openWatch, storeHelp, storeOptions } from "./open-watch.ts";

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Accepts an instant, a date (until the end of that day, UTC) or a duration from now such as 8h. */
export function parseUntil(text: string, nowMs: number): string {
  const duration = /^([1-9]\d{0,3})([mhd])$/.exec(text);
  const ms = duration
    ? nowMs + Number(duration[1]) * units[duration[2]!]!
    : Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59Z` : text);
  if (Number.isNaN(ms) || ms <= nowMs) {
    throw new UsageError(
      `--until must be a time in the future, such as 8h, 3d, 2026-12-31 or 2026-12-31T06:00:00Z, not "${text}"`,
    );
  }
  return new Date(ms).toISOString();
}

async function decide(
  kind: DecisionRequest["kind"],
  values: OptionValues,
  positionals: readonly string[],
  io: Io,
): Promise<number> {
  const subject = positionals.join(" ");
  const { reason, until } = values;
  if (!subject)
    throw new UsageError(
      `${kind} needs the id of an incident or a finding. List them with \`v1watch incidents\` and \`v1watch drift\``,
    );
  if (typeof reason !== "string" || reason.trim() === "")
    throw new UsageError(`${kind} needs --reason, which is shown with the incident`);
  if (kind === "mute" && until === undefined)
    throw new UsageError("mute needs an end: --until 8h, 3d or a date");
  return openWatch(values, io, async ({ state, store, nowMs, config }) => {
    const request: DecisionRequest = {
      kind,
      subject,
      reason,
      isAhead: values.ahead === true,
      until: typeof until === "string" ? parseUntil(until, nowMs) : undefined,
    };
    const context = assessmentSettings(config);
    const decided = await recordDecision({ ports: store, state, request, context, nowMs });
    if (decided.kind === "refused") throw new UsageError(decided.problem);
    const { decision } = decided;
    const end =
      kind === "unmute" || decision.until === undefined ? "" : ` until ${momentText(decision.until)}`;
    if (values.json) io.out(`${JSON.stringify(decision, null, 2)}\n`);
    else io.out(`${doneWords[kind]}${end}: ${subject}\n`);
    return exitCodes.success;
  });
}

const doneWords = { ack: "Acknowledged", mute: "Muted", unmute: "No longer muted" } as const;

const { json, ...stores } = storeOptions;
const reason = { type: "string" } as const;

export const ack: Command = {
  name: "ack",
  summary: "acknowledge an incident or a finding, with a reason",
  help: `v1watch ack ID --reason TEXT

Records that the incident or finding is known, and tells the channels. Reminders of the incident stop.

  --reason TEXT   the reason, shown with the incident (at most 200 characters)
${storeHelp}

Example: v1watch ack sunset-20261102T0000Z --reason "the migration is planned for May"
`,
  options: { ...stores, reason, json },
  positionals: { max: 5 },
  run: (values, positionals, io) => decide("ack", values, positionals, io),
};

export const mute: Command = {
  name: "mute",
  summary: "stop notifications about an incident, a rule, an endpoint or a finding until a given time",
  help: `v1watch mute ID --until TIME --reason TEXT [--ahead]

Sends no notifications about ID until TIME: an incident, every incident of a rule (such as slow), every incident of an
endpoint alone, or a finding. It is still checked and recorded, and what still fires at the end is sent then. The
latest mute of an ID applies; \`v1watch unmute ID\` ends it. What is not firing is muted only with --ahead.

  --until TIME    8h, 3d, 2026-12-31 or 2026-12-31T06:00:00Z
  --reason TEXT   the reason, shown with the incident (at most 200 characters)
  --ahead         mute what is not firing now: incidents that come later are silent too
${storeHelp}

Example: v1watch mute "passport passport.score retyped string" --until 7d --reason "our client reads both"
`,
  options: { ...stores, reason, until: { type: "string" }, ahead: { type: "boolean" }, json },
  positionals: { max: 5 },
  run: (values, positionals, io) => decide("mute", values, positionals, io),
};

export const unmute: Command = {
  name: "unmute",
  summary: "end a mute before its time",
  help: `v1watch unmute ID --reason TEXT

Notifications about ID are sent again from now on. ID is the one that was muted.

  --reason TEXT   the reason, which is recorded (at most 200 characters)
${storeHelp}

Example: v1watch unmute slow --reason "the maintenance is over"
`,
  options: { ...stores, reason, json },
  positionals: { max: 5 },
  run: (values, positionals, io) => decide("unmute", values, positionals, io),
};
