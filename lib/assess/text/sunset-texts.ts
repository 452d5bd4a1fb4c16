// What is written about the dates of V1's end. A date is always that of endpoints: they may differ, move one by one, and pass
// while others are ahead.

import type { EndpointId } from "../../contract/endpoints.ts";
import type { Facts } from "../../records/incident.ts";
import { listAll, plural } from "../../text.ts";
import { daysUntil, hourMs, momentText } from "../../time.ts";
import { groupDates, type SharedDate } from "../retirement-date.ts";
import { rowLines } from "./rows.ts";
import { outlook, type RuleText, where, whereText } from "./text.ts";

const hadHeader = "had a Sunset header";
const withoutIt = "without it";

/** "2026-04-01 for passport-list and passport, and 2026-06-01 for passport-credentials" */
function listDates(groups: readonly SharedDate[]): string {
  const texts = groups.map(({ day, endpoints }) => `${day} for ${listAll(endpoints)}`);
  return [...texts.slice(0, -1), `${texts.length > 1 ? "and " : ""}${texts.at(-1)}`].join(", ");
}

const undatedOf = ({ undated = {} }: Facts, why: NonNullable<Facts["undated"]>[EndpointId]): EndpointId[] =>
  (Object.keys(undated) as EndpointId[]).filter((endpoint) => undated[endpoint] === why);

/** Why there is no date, of the endpoints that have none; of all of them where no endpoint is named. */
function undatedTexts(facts: Facts): string[] {
  const { aheadDays, dateText, dates } = facts;
  const isAll = dates === undefined && new Set(Object.values(facts.undated ?? {})).size === 1;
  const of = (names: readonly EndpointId[]) => (isAll ? "" : ` of ${listAll(names)}`);
  const [ahead, unreadable, unsteady, unconfirmed] = (
    ["always-ahead", "unreadable", "unsteady", "unconfirmed"] as const
  ).map((why) => undatedOf(facts, why));
  return [
    ...(ahead!.length > 0 && aheadDays !== undefined
      ? [
          `The date in the Sunset header${of(ahead!)} moves with every response and is always about ${plural(aheadDays, "day")} ahead: it does not say when V1 ends.`,
        ]
      : []),
    ...(unreadable!.length > 0
      ? [
          `The Sunset header${of(unreadable!)} is not a date: "${dateText ?? ""}".`,
          ...(dateText?.includes("[...]") ? ["[...] stands for words that v1watch does not store."] : []),
        ]
      : []),
    ...(unsteady!.length > 0
      ? [
          `The Sunset header${of(unsteady!)} changes from check to check, so v1watch trusts none of its dates.`,
        ]
      : []),
    ...(unconfirmed!.length > 0
      ? [`The date in the Sunset header${of(unconfirmed!)} is not confirmed yet.`]
      : []),
  ];
}

/** Whether all endpoints announce the same day. */
function isOneDate({ dates, endpoints }: Facts): boolean {
  const [first, ...others] = groupDates(dates);
  return first !== undefined && others.length === 0 && first.endpoints.length === endpoints.length;
}

/** "The Sunset header names 2026-07-01 00:00 UTC." */
function datesText(facts: Facts, name: "names" | "named" = "names"): string[] {
  const { dates } = facts;
  const groups = groupDates(dates);
  const [first] = groups;
  if (!first) return [];
  const isOneHour = Object.values(dates ?? {}).every(
    (date) => Date.parse(date) - Date.parse(first.date) <= hourMs,
  );
  if (isOneHour && isOneDate(facts)) return [`The Sunset header ${name} ${momentText(first.date)}.`];
  return [`The Sunset header ${name} ${listDates(groups)}.`];
}

type Move = { from: string; to: string; endpoints: EndpointId[] };

/** Endpoints that moved from one day to another one are together. */
function movesOf({ previousDates = {}, dates = {} }: Facts): Move[] {
  const moves: Move[] = [];
  for (const { day: from, endpoints } of groupDates(previousDates))
    for (const endpoint of endpoints) {
      const to = dates[endpoint]?.slice(0, 10);
      const known = moves.find((move) => move.from === from && move.to === to);
      if (known) known.endpoints.push(endpoint);
      else if (to) moves.push({ from, to, endpoints: [endpoint] });
    }
  return moves;
}

function movedTexts(facts: Facts): string[] {
  const moves = movesOf(facts);
  const moved = moves.flatMap(({ endpoints }) => endpoints);
  const others = facts.endpoints.filter((endpoint) => !moved.includes(endpoint));
  return [
    ...moves.map(({ from, to, endpoints }) => {
      const days = daysUntil(Date.parse(to), Date.parse(from));
      const shift = `${plural(Math.abs(days), "day")} ${days < 0 ? "earlier" : "later"}`;
      return `V1 now ends on ${to} on ${whereText(endpoints)}, ${shift} than announced. Before, the Sunset header named ${from}.`;
    }),
    ...(moves.length > 0 && others.length > 0 && others.every((endpoint) => facts.dates?.[endpoint])
      ? [others.length === 1 ? "The other endpoint keeps its date." : "The other endpoints keep their dates."]
      : []),
  ];
}

/** What is known of the date, after "V1 announces its end": where, and when. */
function dateTitle(facts: Facts): string {
  const [first, ...later] = groupDates(facts.dates);
  if (!first) {
    const text =
      undatedOf(facts, "unreadable").length > 0 ? `Sunset "${facts.dateText ?? ""}"` : "no steady date";
    return ` on ${where(facts)}: ${text}`;
  }
  const isFirst = later.length > 0 || first.endpoints.length < facts.endpoints.length;
  return `${isFirst ? ", first" : ""} on ${whereText(first.endpoints)}: Sunset ${first.day}`;
}

/** "2026-03-05", "2026-03-05 to 2026-03-07" */
function outlivedDays({ dates = {}, outlived = [], date }: Facts): string {
  const days = outlived.flatMap((endpoint) => dates[endpoint]?.slice(0, 10) ?? []).sort();
  const [first = date?.slice(0, 10) ?? "", last = first] = [days[0], days.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

const outlivedTitle = (facts: Facts, isPast: boolean): string =>
  `V1 ${isPast ? "was" : "is"} still up on ${whereText(facts.outlived ?? [])} after its announced end, ${outlivedDays(facts)}`;

function sunsetTitle(facts: Facts, isPast: boolean): string {
  const { aheadDays, dates, outlived = [] } = facts;
  if (dates === undefined && aheadDays !== undefined)
    return `V1's Sunset date ${isPast ? "was" : "is"} always about ${plural(aheadDays, "day")} ahead on ${where(facts)}`;
  const [move, ...more] = isPast ? [] : movesOf(facts);
  if (move && more.length === 0)
    return `V1 moved its end from ${move.from} to ${move.to} on ${whereText(move.endpoints)}`;
  if (move) return `V1 moved its end on ${whereText([move, ...more].flatMap(({ endpoints }) => endpoints))}`;
  if (outlived.length > 0) return outlivedTitle(facts, isPast);
  return `V1 ${isPast ? "announced" : "announces"} its end${dateTitle(facts)}`;
}

const outlivedText = ({ outlived = [] }: Facts): string[] =>
  outlived.length === 0 ? [] : [`V1 is still up on ${whereText(outlived)} after that date.`];

export const sunsetTexts: Record<"sunset" | "sunset-passed", RuleText> = {
  sunset: {
    title: sunsetTitle,
    facts: (facts) => [
      ...movedTexts(facts),
      ...(movesOf(facts).length > 0 ? [] : datesText(facts)),
      ...undatedTexts(facts),
      ...outlivedText(facts),
    ],
    impact: ({ dates }) =>
      dates
        ? "V1's own headers name the day on which it may be removed."
        : "V1 announces an end without a date.",
    steps: ({ dates }) => [
      dates
        ? "Plan to be on V2 before the earliest date that an endpoint names."
        : "Ask V1's provider when it ends.",
      outlook,
    ],
    since: ({ previousDates, aheadDays, outlived }) =>
      previousDates || aheadDays !== undefined || outlived ? [] : undefined,
    counted: hadHeader,
    good: withoutIt,
    ended: (facts, at) => ({
      titles: [
        `V1 no longer announces its end on ${where(facts)}${isOneDate(facts) ? `: Sunset was ${facts.date?.slice(0, 10) ?? ""}` : ""}`,
      ],
      sentences: [
        ...rowLines(facts, { counted: hadHeader, good: withoutIt }, at, true),
        ...(isOneDate(facts) ? [] : datesText(facts, "named")),
        "No endpoint sends the header any more. This does not mean that V1 stays: ask its provider.",
      ],
    }),
  },
  "sunset-passed": {
    title: (facts, isPast) =>
      facts.source === "configured"
        ? `V1 ${isPast ? "was" : "is"} still up on ${where(facts)} after its configured end, ${facts.date?.slice(0, 10) ?? ""}`
        : outlivedTitle(facts, isPast),
    facts: (facts) =>
      facts.source === "configured"
        ? [
            `The configured date ${momentText(facts.date ?? facts.firstBadAt)} has passed; V1 served ${plural(facts.bad, "check")} since then.`,
          ]
        : [...datesText(facts), ...outlivedText(facts)],
    impact: () => "V1 may be removed at any time.",
    steps: () => ["Finish the move to V2: any day may be V1's last.", outlook],
    since: () => [],
    counted: hadHeader,
    good: withoutIt,
  },
};
