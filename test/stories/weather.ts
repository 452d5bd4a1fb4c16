// Ordinary weather: 90 days in which nothing is wrong that a restart, a weekend or a maintenance would not explain.
import type { Behaviour, Service, Story } from "./types.ts";

export const weatherKinds = [
  "restarts of 3 min and 1 % 502s",
  "weekends and nights at rest",
  "weekly maintenance of 40 min",
] as const;
export type WeatherKind = (typeof weatherKinds)[number];

const respond = (status: number) => ({ kind: "respond", status }) as const;

const weather: Record<WeatherKind, { service?: Service; timeline: Behaviour[] }> = {
  "restarts of 3 min and 1 % 502s": {
    timeline: [
      { recur: { at: "03:10", minutes: 3 }, effect: respond(503) },
      { recur: { at: "14:25", minutes: 3, weekdays: ["tue", "thu"] }, effect: { kind: "reset" } },
      { probability: 0.01, effect: respond(502) },
    ],
  },
  "weekends and nights at rest": {
    service: { rest: { zone: "Europe/Berlin", nights: "19:00-07:00", weekends: true } },
    timeline: [],
  },
  "weekly maintenance of 40 min": {
    timeline: [{ recur: { at: "04:20", minutes: 40, weekdays: ["sun"] }, effect: respond(503) }],
  },
};

/** Spring with its change to summer time; the seed decides the data, the chances and the hour of the start. */
export function weatherStory(kind: WeatherKind, seed: number, days = 90): Story {
  const startMs = Date.parse("2026-02-02T00:00:00Z") + ((seed * 7_919) % (7 * 1_440)) * 60_000;
  return {
    ...{ name: `${kind}, seed ${seed}`, kind: "calm", description: kind, days, seed },
    start: new Date(startMs).toISOString(),
    truth: { messages: [], maxPages: 0, maxMessages: 0 },
    ...weather[kind],
  };
}
