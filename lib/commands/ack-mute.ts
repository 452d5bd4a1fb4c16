// v1watch incidents ack, mute and unmute: decisions about incidents and findings. The reason is recorded.

import { type DecisionRequest, decide as recordDecision } from "../assess/decisions.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import { momentText } from "../time.ts";
import { exitCodes, type Io, type OptionValues, type Run, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { openWatch } from "./open-watch.ts";

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
  return openWatch(values, io, async ({ state, store, nowMs, config }) => {
    const request: DecisionRequest = {
      kind,
      subject,
      reason: String(reason),
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
    else print(io, `${doneWords[kind]}${end}: ${subject}\n`);
    return exitCodes.success;
  });
}

const doneWords = { ack: "Acknowledged", mute: "Muted", unmute: "No longer muted" } as const;

export const ack: Run = (values, positionals, io) => decide("ack", values, positionals, io);

export const mute: Run = (values, positionals, io) => decide("mute", values, positionals, io);

export const unmute: Run = (values, positionals, io) => decide("unmute", values, positionals, io);
