// Ordinary weather: 90 days in which nothing is wrong that a restart, a weekend or a maintenance would not explain.
import { auditAllFacts } from "../assess/fact-auditor.ts";
import type { Played } from "./play.ts";
import { type Behaviour, DAY, MINUTE, type Service, type Story } from "./types.ts";

const respond = (status: number) => ({ kind: "respond", status }) as const;

const kinds = {
  restarts: {
    description: "restarts of 3 min and 1 % 502s",
    timeline: [
      { recur: { at: "03:10", minutes: 3 }, effect: respond(503) },
      { recur: { at: "14:25", minutes: 3, weekdays: ["tue", "thu"] }, effect: { kind: "reset" } },
      { probability: 0.01, effect: respond(502) },
    ],
  },
  rest: {
    description: "weekends and nights at rest",
    service: { rest: { zone: "Europe/Berlin", nights: "19:00-07:00", weekends: true } },
    timeline: [],
  },
  maintenance: {
    description: "weekly maintenance of 40 min",
    timeline: [{ recur: { at: "04:20", minutes: 40, weekdays: ["sun"] }, effect: respond(503) }],
  },
} satisfies Record<string, { description: string; service?: Service; timeline: Behaviour[] }>;

export type WeatherKind = keyof typeof kinds;
export const weatherKinds = Object.keys(kinds) as WeatherKind[];

export const weatherDays = 90;

/** From February to May, with the change to summer time. The seed decides the data, the chances and the start. */
export function weatherStory(kind: WeatherKind, seed: number, days = weatherDays): Story {
  const startMs = Date.parse("2026-02-02T00:00:00Z") + ((seed * 7_919) % (7 * 1_440)) * MINUTE;
  return {
    name: `${kind}-${seed}`,
    kind: "calm",
    days,
    seed,
    start: new Date(startMs).toISOString(),
    truth: { messages: [], maxPages: 0, maxMessages: Math.floor(days / 7) },
    ...kinds[kind],
  };
}

/** The first minute of every maintenance that lies wholly within the story. */
function maintenanceWindows({ start, days }: Story): number[] {
  const startMs = Date.parse(start);
  const midnights = Array.from({ length: days + 1 }, (_, day) => Math.floor(startMs / DAY + day) * DAY);
  return midnights
    .filter((atMs) => new Date(atMs).getUTCDay() === 0)
    .map((atMs) => atMs + 260 * MINUTE)
    .filter((atMs) => atMs >= startMs && atMs + 90 * MINUTE <= startMs + days * DAY);
}

export type Weather = {
  /** Pages that no maintenance explains. */
  falsePages: number;
  /** Besides digests and the maintenance's own messages. */
  messages: number;
  problems: string[];
};

/** What is wrong with the messages of such a time; every number of every message is audited. */
export function judgeWeather(kind: WeatherKind, story: Story, { messages, observations }: Played): Weather {
  const problems = auditAllFacts(
    messages.map(({ alert }) => alert),
    observations,
  );
  const left = messages.map(({ alert }) => alert).filter(({ event }) => event !== "digest");
  const take = (rule: string, event: string, fromMs: number, untilMs: number) => {
    const index = left.findIndex(
      (one) =>
        one.rule === rule &&
        one.event === event &&
        Date.parse(one.at) >= fromMs &&
        Date.parse(one.at) <= untilMs,
    );
    if (index >= 0) left.splice(index, 1);
    else problems.push(`no message "${event} ${rule}" from ${new Date(fromMs).toISOString()} on`);
  };
  const windows = kind === "maintenance" ? maintenanceWindows(story) : [];
  for (const [index, fromMs] of windows.entries()) {
    const endMs = fromMs + 40 * MINUTE;
    take("down", "opened", fromMs, fromMs + 18 * MINUTE);
    // The next slot of any endpoint comes within 12 min of the end, and the proof within 10 min of it.
    take("down", "resolved", endMs, endMs + 22 * MINUTE);
    if (index === 2) take("recurring-outages", "opened", fromMs, endMs + 60 * MINUTE);
  }
  const pages = left.filter(({ severity, event }) => severity === "page" && event !== "resolved");
  for (const { at, subject } of pages) problems.push(`false page at ${at}: ${subject}`);
  if (left.length > story.truth.maxMessages)
    problems.push(
      `${left.length} messages in ${story.days} days: ${left.map(({ at, subject }) => `${at} ${subject}`).join("; ")}`,
    );
  return { falsePages: pages.length, messages: left.length, problems };
}
