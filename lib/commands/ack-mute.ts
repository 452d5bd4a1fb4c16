// v1watch ack and v1watch mute: acknowledge or mute an incident or a finding. The reason is recorded.
import { momentText } from "../assess/date-text.ts";
import { type Decision, ruleIds } from "../records/incident.ts";
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
  kind: Decision["kind"],
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
  if (reason.length > 200) throw new UsageError("--reason must not be longer than 200 characters");
  if (kind === "mute" && until === undefined)
    throw new UsageError("mute needs an end: --until 8h, 3d or a date");
  return openWatch(values, io, async ({ state, store, nowMs }) => {
    const ids: string[] = [
      ...state.incidents.map(({ id }) => id),
      ...(kind === "mute" ? ruleIds : []),
      ...Object.keys(state.drift.rows),
    ];
    if (!ids.includes(subject)) {
      const similar = ids.filter((id) => id.includes(subject)).slice(0, 3);
      throw new UsageError(
        `no incident or finding has the id "${subject}"${similar.length > 0 ? `. Did you mean ${similar.map((id) => `"${id}"`).join(" or ")}?` : ""}`,
      );
    }
    const decision: Decision = {
      schema: "v1watch/decision/1",
      kind,
      subject,
      reason: reason.trim(),
      at: new Date(nowMs).toISOString(),
      ...(typeof until === "string" && { until: parseUntil(until, nowMs) }),
    };
    await store.ledger.decide(decision);
    const end = decision.until === undefined ? "" : ` until ${momentText(decision.until)}`;
    if (values.json) io.out(`${JSON.stringify(decision, null, 2)}\n`);
    else io.out(`${kind === "ack" ? "Acknowledged" : "Muted"}${end}: ${subject}\n`);
    return exitCodes.success;
  });
}

const options = { ...storeOptions, reason: { type: "string" }, until: { type: "string" } } as const;

export const ack: Command = {
  name: "ack",
  summary: "acknowledge an incident or a finding, with a reason",
  help: `v1watch ack ID --reason TEXT

Records that the incident or finding is known. Notifications about it continue.

  --reason TEXT   the reason, shown with the incident (at most 200 characters)
${storeHelp}

Example: v1watch ack sunset-20261102T0000Z --reason "the migration is planned for May"
`,
  options,
  positionals: { max: 5 },
  run: (values, positionals, io) => decide("ack", values, positionals, io),
};

export const mute: Command = {
  name: "mute",
  summary: "stop notifications about an incident or a finding until a given time",
  help: `v1watch mute ID --until TIME --reason TEXT

Sends no notifications about the incident or finding until TIME. It is still checked and recorded. The latest
mute of an ID applies: mute it again to extend or shorten the time, and with --until 1m to end it.

  --until TIME    8h, 3d, 2026-12-31 or 2026-12-31T06:00:00Z
  --reason TEXT   the reason, shown with the incident (at most 200 characters)
${storeHelp}

Example: v1watch mute "passport passport.score retyped string" --until 7d --reason "our client reads both"
`,
  options,
  positionals: { max: 5 },
  run: (values, positionals, io) => decide("mute", values, positionals, io),
};
