// v1watch ack and mute: a person's word on an incident or a finding, recorded with its reason.
import { momentText } from "../assess/date-text.ts";
import type { Decision } from "../records/incident.ts";
import { type Command, exitCodes, type Io, UsageError, type Values } from "./command.ts";
import { storeHelp, storeOptions, withLedger } from "./open-watch.ts";

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** An instant, a date, or a time from now such as 8h. */
export function parseUntil(text: string, nowMs: number): string {
  const length = /^([1-9]\d{0,3})([mhd])$/.exec(text);
  const ms = length
    ? nowMs + Number(length[1]) * units[length[2]!]!
    : Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59Z` : text);
  if (Number.isNaN(ms) || ms <= nowMs) {
    throw new UsageError(
      `--until takes a time ahead: 8h, 3d, 2026-12-31 or 2026-12-31T06:00:00Z, not "${text}"`,
    );
  }
  return new Date(ms).toISOString();
}

async function decide(
  kind: Decision["kind"],
  values: Values,
  positionals: readonly string[],
  io: Io,
): Promise<number> {
  const subject = positionals.join(" ");
  const { reason, until } = values;
  if (!subject)
    throw new UsageError(
      `${kind} needs the id of an incident or a finding: \`v1watch incidents\` and \`v1watch drift\` show them`,
    );
  if (typeof reason !== "string" || reason.trim() === "")
    throw new UsageError(`${kind} needs --reason, for whoever reads it next`);
  if (reason.length > 200) throw new UsageError("--reason takes 200 characters at the most");
  if (kind === "mute" && until === undefined)
    throw new UsageError("mute needs --until, so that it ends: 8h, 3d or a date");
  return withLedger(values, io, async ({ state, store, nowMs }) => {
    const ids = [...Object.keys(state.incidents), ...Object.keys(state.drift.rows)];
    if (!ids.includes(subject)) {
      const near = ids.filter((id) => id.includes(subject)).slice(0, 3);
      throw new UsageError(
        `no incident or finding has the id "${subject}"${near.length > 0 ? `. Did you mean ${near.map((id) => `"${id}"`).join(" or ")}?` : ""}`,
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
    return exitCodes.fine;
  });
}

const options = { ...storeOptions, reason: { type: "string" }, until: { type: "string" } } as const;

export const ack: Command = {
  name: "ack",
  summary: "acknowledge an incident or a finding, with a reason",
  help: `v1watch ack ID --reason TEXT

Records that somebody knows. Messages about it still come.

  --reason TEXT   why, for whoever reads it next
${storeHelp}

Example: v1watch ack retirement/announced --reason "the move is planned for May"
`,
  options,
  positionals: { max: 5 },
  run: (values, positionals, io) => decide("ack", values, positionals, io),
};

export const mute: Command = {
  name: "mute",
  summary: "silence an incident or a finding for a while, with a reason",
  help: `v1watch mute ID --until TIME --reason TEXT

Nothing is told about it until then; it is still watched and recorded. The latest mute of an ID counts:
mute it again to prolong or shorten it, and with --until 1m to end it.

  --until TIME    8h, 3d, 2026-12-31 or 2026-12-31T06:00:00Z
  --reason TEXT   why, for whoever reads it next
${storeHelp}

Example: v1watch mute "passport passport.score retyped string" --until 7d --reason "our client reads both"
`,
  options,
  positionals: { max: 5 },
  run: (values, positionals, io) => decide("mute", values, positionals, io),
};
