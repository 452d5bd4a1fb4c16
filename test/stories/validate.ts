/** Checks the format of a story: known keys, known names, readable instants and possible truths. */

import { ruleIds } from "../../lib/records/incident.ts";
import { parseTimeOfDay } from "./data.ts";
import { DAY, ENDPOINTS, parseDuration, parseInstant, REQUEST_KINDS, type Story } from "./types.ts";

const EVENTS = ["opened", "changed", "resolved", "reminder", "digest", "countdown"];
const SEVERITIES = ["page", "warning", "info"];
const EFFECT_KEYS: Record<string, string[]> = {
  respond: ["status", "headers", "body"],
  reset: [],
  hang: [],
  truncate: [],
  latency: ["ms"],
  headers: ["headers"],
  "date-skew": ["by"],
  field: ["op", "path", "to", "value", "root"],
  "v2-shape": [],
  "empty-list": [],
  "zero-scores": [],
  "equal-scores": ["value"],
  "round-scores": ["step"],
  "empty-credentials": [],
  "another-record": [],
  "duplicate-rows": [],
  "repeat-page": [],
  "scale-scores": ["factor"],
  "new-credential-type": ["type"],
  freeze: [],
  rewind: ["by"],
  "dates-only": [],
  "dates-now": [],
  "future-dates": ["by"],
  "bulk-recalculation": [],
  delete: [],
  shrink: ["fraction", "perDay"],
  shuffle: [],
  unsafe: ["form"],
};

export function validateStory(story: Story, fileName: string): string[] {
  const problems: string[] = [];
  const keys = (where: string, value: object, allowed: string[]): void => {
    for (const key of Object.keys(value))
      if (!allowed.includes(key)) problems.push(`${where}: unknown key ${key}.`);
  };
  const known = (where: string, values: string[] | undefined, allowed: string[]): void => {
    for (const value of values ?? [])
      if (!allowed.includes(value)) problems.push(`${where}: unknown name ${value}.`);
  };
  const end = Date.parse(story.start) + story.days * DAY;
  const instant = (where: string, text: string | undefined, fallback: string): number => {
    try {
      const at = parseInstant(story, text ?? fallback);
      if (at > end) problems.push(`${where}: ${text} is after the end of the story.`);
      return at;
    } catch (error) {
      problems.push(`${where}: ${(error as Error).message}.`);
      return Number.NaN;
    }
  };
  const interval = (where: string, from: string | undefined, to: string | undefined): void => {
    if (!(instant(where, from, "0m") < instant(where, to, `${story.days}d`)))
      problems.push(`${where}: ${from} is not before ${to}.`);
  };

  keys("story", story, [
    "name",
    "kind",
    "description",
    "start",
    "days",
    "seed",
    "service",
    "timeline",
    "truth",
  ]);
  if (`${story.name}.json` !== fileName) problems.push("The name is not the file's name.");
  if (!["calm", "fault"].includes(story.kind)) problems.push("kind is neither calm nor fault.");
  if (!/^[A-Z].*\.$/.test(story.description)) problems.push("The description is not a sentence.");
  if (new Date(story.start).toISOString().replace(".000", "") !== story.start)
    problems.push("start is not an ISO instant in UTC.");
  if (!Number.isInteger(story.days) || !Number.isInteger(story.seed))
    problems.push("days and seed are integers.");
  keys("service", story.service ?? {}, ["passports", "growthPerDay", "anonymous", "rest", "latency"]);
  keys("service.rest", story.service?.rest ?? {}, ["zone", "nights", "weekends"]);

  story.timeline.forEach((behaviour, number) => {
    const where = `timeline[${number}]`;
    keys(where, behaviour, [
      "from",
      "to",
      "recur",
      "endpoints",
      "variant",
      "requests",
      "probability",
      "share",
      "ranks",
      "flicker",
      "effect",
    ]);
    interval(where, behaviour.from, behaviour.to);
    known(where, behaviour.endpoints, ENDPOINTS);
    known(where, behaviour.variant && [behaviour.variant], ["authenticated", "anonymous", "all"]);
    known(where, behaviour.requests, REQUEST_KINDS);
    if (behaviour.recur) {
      keys(`${where}.recur`, behaviour.recur, [
        "at",
        "everyMinutes",
        "minutes",
        "weekdays",
        "everyDays",
        "zone",
      ]);
      known(`${where}.recur`, behaviour.recur.weekdays, ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]);
      if (behaviour.recur.at !== undefined) parseTimeOfDay(behaviour.recur.at);
    }
    const allowed = EFFECT_KEYS[behaviour.effect.kind];
    if (!allowed) problems.push(`${where}: unknown effect ${behaviour.effect.kind}.`);
    keys(`${where}.effect`, behaviour.effect, ["kind", ...(allowed ?? [])]);
    if ("by" in behaviour.effect) parseDuration(behaviour.effect.by);
    if (behaviour.effect.kind === "scale-scores" && !(behaviour.effect.factor > 0))
      problems.push(`${where}: the factor is not a positive number.`);
    if ("headers" in behaviour.effect)
      for (const value of Object.values(behaviour.effect.headers ?? {}).flat())
        for (const [, offset = ""] of value.matchAll(/\{(?:http|iso)-date:\+?([^}]*)\}/g))
          parseDuration(offset);
  });

  const { truth } = story;
  const ruleNames = [...ruleIds, "digest", "any-failure"];
  keys("truth", truth, ["messages", "maxPages", "maxMessages", "forbiddenRules", "forbidden", "quiet"]);
  known("truth.forbiddenRules", truth.forbiddenRules, ruleNames);
  truth.messages.forEach((message, number) => {
    const where = `truth.messages[${number}]`;
    keys(where, message, [
      "rule",
      "event",
      "severity",
      "scope",
      "endpoints",
      "after",
      "by",
      "firstBad",
      "mentions",
    ]);
    known(where, message.rule, ruleNames);
    known(where, message.event, EVENTS);
    known(where, [message.severity ?? []].flat(), SEVERITIES);
    known(where, message.scope === undefined ? [] : [message.scope], ["api", "endpoint"]);
    known(where, message.endpoints, ENDPOINTS);
    interval(where, message.after, message.by);
    if (message.firstBad) interval(`${where}.firstBad`, message.firstBad[0], message.firstBad[1]);
    const from = parseInstant(story, message.after);
    const isQuiet = (truth.quiet ?? []).some(
      ([a, b]) => from >= parseInstant(story, a) && parseInstant(story, message.by) < parseInstant(story, b),
    );
    if (isQuiet && !["digest", "countdown"].includes(message.event[0] ?? ""))
      problems.push(`${where} lies inside a quiet interval.`);
    if (message.rule?.every((rule) => truth.forbiddenRules?.includes(rule)))
      problems.push(`${where} demands a forbidden rule.`);
  });
  (truth.forbidden ?? []).forEach((item, number) => {
    const where = `truth.forbidden[${number}]`;
    keys(where, item, ["rule", "event", "severity", "scope", "from", "to"]);
    known(where, item.rule, ruleNames);
    known(where, item.event, EVENTS);
    interval(where, item.from, item.to);
  });
  for (const [from, to] of truth.quiet ?? []) interval("truth.quiet", from, to);
  const counted = truth.messages.filter(
    (message) => !message.event.every((event) => ["digest", "countdown", "reminder"].includes(event)),
  );
  if (counted.length > truth.maxMessages)
    problems.push("maxMessages is smaller than the number of expected messages.");
  if (story.kind === "fault" && truth.messages.length === 0)
    problems.push("A fault story expects at least one message.");
  return problems;
}
