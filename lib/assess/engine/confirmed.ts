// What is said of an incident is what checks agree on. A value that one check has shown (another date, another set of
// fields) is being confirmed: it is in no message and in no fact until further checks agree.
import type { EndpointId } from "../../contract/endpoints.ts";
import { dayText, hourMs } from "../../time.ts";
import type { AnyRule, StoredMark } from "../rules/rule.ts";
import { roundsMs, settled, together } from "./cadence.ts";
import type { IncidentPart, Judging, OpenIncident } from "./engine-state.ts";

const maxEndDays = 6;

/** The latest bad marks of an endpoint, and what is said of it so far. */
type Candidate = Pick<IncidentPart, "recent" | "confirmed">;

const keyOf = (rule: AnyRule, mark: StoredMark | undefined): string | undefined =>
  mark && (rule.key?.(mark.value, mark.atMs) ?? "");

/**
 * The latest mark of an endpoint, where its value is confirmed: by as many checks in a row as an incident of the row needs, or
 * by endpoints that show it together. An endpoint of which it was said before is no evidence for another one.
 */
function findAgreed(
  judging: Judging,
  rule: AnyRule,
  own: Candidate,
  all: readonly Candidate[],
): StoredMark | undefined {
  const { run } = rule.opens;
  const latest = own.recent.at(-1);
  const key = keyOf(rule, latest);
  if (latest === undefined || key === keyOf(rule, own.confirmed)) return latest;
  // Of what nothing was said yet, the checks that opened the incident are evidence: two that agree.
  const needed = Math.min(run?.checks ?? 1, own.confirmed ? Number.POSITIVE_INFINITY : 2);
  const inRow = own.recent.slice(-needed);
  if (inRow.length === needed && inRow.every((mark) => keyOf(rule, mark) === key)) return latest;
  const withinMs = roundsMs(judging, rule, together);
  const alike = all.filter(({ recent, confirmed }) => {
    const mark = recent.at(-1);
    const isNew = keyOf(rule, confirmed) !== key;
    return mark && isNew && keyOf(rule, mark) === key && Math.abs(mark.atMs - latest.atMs) <= withinMs;
  });
  return run?.together && alike.length >= run.together.endpoints ? latest : undefined;
}

/** Whether the value of every endpoint is confirmed. */
export const areAgreed = (judging: Judging, rule: AnyRule, all: readonly Candidate[]): boolean =>
  rule.key === undefined || all.every((own) => findAgreed(judging, rule, own, all) !== undefined);

type Row = { endpoint: EndpointId; part: IncidentPart; next: StoredMark | undefined };

/** One key, or each with its endpoints. */
function describeKeys(rule: AnyRule, rows: readonly Row[]): string {
  const keys = rows.map(({ next }) => keyOf(rule, next) ?? "not confirmed");
  const different = [...new Set(keys)];
  if (different.length === 1) return different[0]!;
  const who = (key: string) => rows.filter((_, index) => keys[index] === key).map(({ endpoint }) => endpoint);
  return different.map((key) => `${key} (${who(key).join(" and ")})`).join(", ");
}

/**
 * Takes over what checks agree on. Endpoints rarely change at the same instant: while they differ, what was said stays, until
 * every endpoint had the time to follow.
 */
export function confirmValues(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  const own = incident.endpoints.flatMap((endpoint) => {
    const part = incident.parts[endpoint];
    return part ? [{ endpoint, part }] : [];
  });
  const all = own.map(({ part }) => part);
  const rows: Row[] = own.map(({ endpoint, part }) => ({
    endpoint,
    part,
    next: findAgreed(judging, rule, part, all) ?? part.confirmed,
  }));
  const key = describeKeys(rule, rows);
  const isAlike = new Set(rows.map(({ next }) => keyOf(rule, next))).size === 1;
  if (key === incident.key || incident.key === "" || isAlike) incident.differSinceMs = undefined;
  else {
    incident.differSinceMs ??= Math.min(judging.nowMs, ...rows.map((row) => changedMsOf(rule, row)));
    if (judging.nowMs - incident.differSinceMs < roundsMs(judging, rule, settled)) return;
    incident.differSinceMs = undefined;
  }
  for (const { part, next } of rows) {
    const isAlike = (mark: StoredMark) =>
      keyOf(rule, mark) === keyOf(rule, next) && isSameEnd(rule, mark, next);
    const before = part.confirmed && isAlike(part.confirmed) ? part.confirmed.checks : 0;
    part.confirmed = next && { ...next, checks: Math.max(before, part.recent.filter(isAlike).length) };
    noteEndDay(rule, part);
  }
  if (rule.key) incident.key = key;
}

function noteEndDay({ endsMs }: AnyRule, part: IncidentPart): void {
  const { value, checks = 0 } = part.confirmed ?? {};
  const endMs = endsMs?.(value);
  if (endMs === undefined) return;
  const day = dayText(endMs);
  const others = Object.entries(part.endDays ?? {}).filter(([other]) => other !== day);
  const known = part.endDays?.[day] ?? 0;
  part.endDays = Object.fromEntries([...others, [day, Math.max(known, checks)]].slice(-maxEndDays));
}

/** Ends within an hour are one that is written in another way. */
function isSameEnd({ endsMs }: AnyRule, one: StoredMark, other: StoredMark | undefined): boolean {
  const [endMs, otherMs] = [endsMs?.(one.value), other && endsMs?.(other.value)];
  return endMs === undefined || otherMs === undefined || Math.abs(endMs - otherMs) <= hourMs;
}

/** The first of the latest checks that showed what is not said yet. */
function changedMsOf(rule: AnyRule, { part, next }: Row): number {
  const key = keyOf(rule, next);
  if (key === keyOf(rule, part.confirmed)) return Number.POSITIVE_INFINITY;
  return part.recent.find((mark) => keyOf(rule, mark) === key)?.atMs ?? Number.POSITIVE_INFINITY;
}
