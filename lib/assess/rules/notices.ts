// What V1 announces in its headers and bodies, and a date of removal that the team has configured.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Facts } from "../../records/incident.ts";
import { isGood } from "../../records/outcome.ts";
import { dayMs, hourMs } from "../../time.ts";
import type { Check } from "../checks/check.ts";
import { endOfDayMs } from "../retirement-date.ts";
import { type Part, type RuleFacts, row } from "./rule.ts";

const opens = { run: { checks: 2, forMs: 0, together: { endpoints: 2, checks: 2, each: 1, forMs: 0 } } };
/** A header that comes and goes ends when it was absent for four times as long as ever before. */
const closes = { checks: 2, forMs: 0, calm: 4 };

type Sunset = {
  dateMs?: number | undefined;
  /** Where it cannot be read as a date. */
  text?: string | undefined;
  /** The date moves with the clock: always about so many days ahead. */
  aheadDays?: number | undefined;
};
type SunsetBefore = { dates?: { dateMs: number; atMs: number }[] };

/** Dates this close are one date that is written in another way. */
const sameDateMs = hourMs;
/** Three dates in a row that are all the same time ahead: the server adds days to its clock. */
const aheadChecks = 3;
const aheadSpreadMs = 1.2 * dayMs;

function movesWithClock(before: SunsetBefore, dateMs: number, atMs: number): number | undefined {
  const dates = [...(before.dates ?? []), { dateMs, atMs }]
    .filter((one, index, all) => Math.abs(one.dateMs - (all[index - 1]?.dateMs ?? 0)) > 0)
    .slice(-aheadChecks);
  if (dates.length < aheadChecks) return undefined;
  const ahead = dates.map((one) => one.dateMs - one.atMs);
  const isSame = Math.max(...ahead) - Math.min(...ahead) < aheadSpreadMs;
  // Dates that differ and lie equally far ahead of different instants.
  const moved = dates.at(-1)!.dateMs - dates[0]!.dateMs;
  return isSame && moved > 0 ? Math.round(ahead.toSorted((a, b) => a - b)[1]! / dayMs) : undefined;
}

const sunsetKey = ({ dateMs, text, aheadDays }: Sunset, atMs: number): string => {
  if (aheadDays !== undefined) return `always about ${aheadDays} days ahead`;
  if (dateMs === undefined) return `unreadable ${text ?? ""}`;
  const date = new Date(Math.round(dateMs / sameDateMs) * sameDateMs).toISOString().slice(0, 10);
  return dateMs < atMs ? `passed ${date}` : date;
};

export const sunset = row<SunsetBefore, Sunset>({
  id: "sunset",
  severity: "warning",
  isNotice: true,
  mark: (check, before) => {
    const { sunsetMs, sunsetText } = check.notices ?? {};
    if (sunsetMs === undefined && sunsetText === undefined) return isGood(check) ? "good" : undefined;
    if (sunsetMs === undefined) return { bad: { text: sunsetText } };
    // A date that has come while V1 does not serve is the failure's matter.
    if (sunsetMs < check.atMs && !isGood(check)) return undefined;
    return { bad: { dateMs: sunsetMs, aheadDays: movesWithClock(before, sunsetMs, check.atMs) } };
  },
  learn: (before, check) => {
    const dateMs = check.notices?.sunsetMs;
    if (dateMs === undefined || dateMs === before.dates?.at(-1)?.dateMs) return;
    before.dates = [...(before.dates ?? []), { dateMs, atMs: check.atMs }].slice(-aheadChecks);
  },
  opens,
  closes,
  key: sunsetKey,
  name: (incident) =>
    incident.endpoints.every((endpoint) => hasOutlived(incident.parts[endpoint]))
      ? "sunset-passed"
      : "sunset",
  endsMs: steadyDateMs,
  facts: (incident): RuleFacts<"sunset"> => {
    const { endpoints, parts, nowMs } = incident;
    const confirmed = endpoints.flatMap((endpoint) => parts[endpoint]?.confirmed?.value ?? []);
    // Of the endpoints that announce one day together, two checks confirm it.
    const dateAt = (endpoint: EndpointId) => steadyDateMs(parts[endpoint]?.confirmed?.value) ?? 0;
    const isConfirmed = (endpoint: EndpointId) => {
      const alike = endpoints.filter((other) => Math.abs(dateAt(other) - dateAt(endpoint)) <= sameDateMs);
      return alike.reduce((sum, other) => sum + (parts[other]?.confirmed?.checks ?? 0), 0) >= 2;
    };
    const dates = byEndpoint(endpoints, (endpoint) => {
      const dateMs = steadyDateMs(parts[endpoint]?.confirmed?.value);
      return dateMs === undefined || !isConfirmed(endpoint) ? undefined : new Date(dateMs).toISOString();
    });
    const now = new Date(nowMs).toISOString();
    const sorted = Object.values(dates ?? {}).sort();
    const outlived = endpoints.filter((endpoint) => hasOutlived(parts[endpoint]));
    return {
      source: "sunset",
      date: sorted.find((date) => date > now) ?? sorted[0],
      dates,
      undated: byEndpoint(
        endpoints,
        (endpoint) =>
          whyUndated(parts[endpoint]?.confirmed?.value) ??
          (dates?.[endpoint] === undefined ? "unconfirmed" : undefined),
      ),
      outlived: outlived.length > 0 ? outlived : undefined,
      dateText: confirmed.find(({ text }) => text !== undefined)?.text,
      aheadDays: confirmed.find(({ aheadDays }) => aheadDays !== undefined)?.aheadDays,
    };
  },
});

/** A date that is always as far ahead is no date. */
function steadyDateMs(value: Sunset | undefined): number | undefined {
  return value?.aheadDays === undefined ? value?.dateMs : undefined;
}

function whyUndated(value: Sunset | undefined): NonNullable<Facts["undated"]>[EndpointId] {
  if (value === undefined) return "unsteady";
  if (value.aheadDays !== undefined) return "always-ahead";
  return value.dateMs === undefined ? "unreadable" : undefined;
}

/** It was served after its date, with the header: a check that is not served says nothing of the header. */
function hasOutlived(part: Part<Sunset> | undefined): boolean {
  const { value, atMs = 0 } = part?.confirmed ?? {};
  return (steadyDateMs(value) ?? Number.POSITIVE_INFINITY) < atMs;
}

function byEndpoint<Value>(
  endpoints: readonly EndpointId[],
  read: (endpoint: EndpointId) => Value | undefined,
): Partial<Record<EndpointId, Value>> | undefined {
  const known = endpoints.flatMap((endpoint) => {
    const value = read(endpoint);
    return value === undefined ? [] : [[endpoint, value] as const];
  });
  return known.length > 0 ? (Object.fromEntries(known) as Partial<Record<EndpointId, Value>>) : undefined;
}

type ConfiguredEnd = { dateMs: number };

/** V1 is served after the day that the team has configured. */
export const configuredEnd = row<object, ConfiguredEnd>({
  id: "configured-end",
  severity: "warning",
  inhibitedBy: ["sunset"],
  mark: (check, _, { settings }) => {
    if (!isGood(check)) return undefined;
    const dateMs = settings.retirementDate === undefined ? Infinity : endOfDayMs(settings.retirementDate);
    return check.atMs > dateMs ? { bad: { dateMs } } : "good";
  },
  opens,
  closes: { checks: 2, forMs: 0 },
  name: () => "sunset-passed",
  facts: ({ value }): RuleFacts<"sunset-passed"> => ({
    source: "configured",
    date: new Date(value.dateMs).toISOString(),
  }),
});

/** A kind of notice that was seen in this time is still there: backends take turns. */
const noticeKeptMs = dayMs;
const maxKinds = 12;
type Deprecation = { kinds: string[] };
/** When each kind was seen last, and in how many checks: two are as good as more. */
type DeprecationBefore = { seen?: Record<string, { atMs: number; times: number }> };

/** The kinds that were seen lately. */
const listKept = ({ seen = {} }: DeprecationBefore, atMs: number) =>
  Object.entries(seen).filter(([, last]) => atMs - last.atMs < noticeKeptMs);

/** The kinds of the check, and those that at least two checks have shown. */
function kindsOf(before: DeprecationBefore, check: Check): string[] {
  const kept = listKept(before, check.atMs).flatMap(([kind, { times }]) => (times >= 2 ? [kind] : []));
  return [...new Set([...kept, ...(check.notices?.deprecation ?? [])])].sort();
}

const withoutDate = (kind: string) => kind.replace(/ \d{4}-\d\d-\d\d$/, "");

/** A date that fewer than two of the latest checks show is not said. */
function withoutStrayDates(
  kinds: readonly string[] | undefined,
  shown: readonly (readonly string[])[],
): string[] | undefined {
  const isSaid = (kind: string) =>
    withoutDate(kind) === kind || shown.filter((own) => own.includes(kind)).length >= 2;
  const said = kinds?.filter(isSaid);
  const undated = kinds?.map(withoutDate).filter((kind) => !said?.some((one) => withoutDate(one) === kind));
  return said && [...new Set([...said, ...(undated ?? [])])].sort();
}

/** Deprecation, Link, Warning 299 and messages in bodies: one warning, and another when a new kind appears. */
export const deprecation = row<DeprecationBefore, Deprecation>({
  id: "deprecation",
  severity: "warning",
  isNotice: true,
  mark: (check, before) => {
    if (check.notices?.deprecation === undefined) return isGood(check) ? "good" : undefined;
    return { bad: { kinds: kindsOf(before, check) } };
  },
  learn: (before, check) => {
    const seen = Object.fromEntries(listKept(before, check.atMs));
    for (const kind of new Set(check.notices?.deprecation))
      seen[kind] = { atMs: check.atMs, times: Math.min(2, (seen[kind]?.times ?? 0) + 1) };
    const kinds = Object.keys(seen).sort().slice(0, maxKinds);
    before.seen = Object.fromEntries(kinds.map((kind) => [kind, seen[kind]!]));
  },
  opens,
  closes,
  // A date may be computed anew for each response: it is a fact, and no other kind of notice.
  key: ({ kinds }) => [...new Set(kinds.map(withoutDate))].join("; "),
  facts: ({ endpoints, parts, value }): RuleFacts<"deprecation"> => {
    const shown = endpoints.flatMap(
      (endpoint) => parts[endpoint]?.recent.map((mark) => mark.value.kinds) ?? [],
    );
    const each =
      byEndpoint(endpoints, (endpoint) =>
        withoutStrayDates(parts[endpoint]?.confirmed?.value.kinds, shown),
      ) ?? {};
    const kinds = Object.values(each);
    const isOne = new Set(kinds.map((own) => own.join())).size <= 1;
    return {
      notices: [...new Set(kinds.length > 0 ? kinds.flat() : value.kinds.map(withoutDate))].sort(),
      noticesOf: isOne ? undefined : each,
    };
  },
});
