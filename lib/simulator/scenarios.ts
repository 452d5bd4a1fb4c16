// The named scenarios. Each is healthy at first, so that a monitor has a baseline. The brownout schedules are
// those of real APIs that were retired.
import type { Effect } from "./effects/index.ts";
import { days, hours, minutes } from "./population.ts";
import type { Cause, Scenario, Step, Truth } from "./scenario.ts";

type ScenarioDetails = Partial<Omit<Scenario, "name" | "summary">> & Pick<Scenario, "steps" | "truth">;

function scenario<N extends string>(
  name: N,
  summary: string,
  details: ScenarioDetails,
): Scenario & { name: N } {
  return {
    name,
    summary,
    profile: "documented",
    lengthMs: 30 * days,
    startAtMs: details.steps[0]?.fromMs ?? 0,
    ...details,
  };
}

/** Two checks at a calm cadence of 30 minutes, and 30 minutes of tolerance. */
const detectionMs = 90 * minutes;
const truth = (cause: Cause, fromMs: number, withinMs = detectionMs): Truth => ({ cause, fromMs, withinMs });
const from = (fromMs: number, ...effects: Effect[]): Step => ({ fromMs, effects });
const during = (fromMs: number, lengthMs: number, ...effects: Effect[]): Step => ({
  fromMs,
  untilMs: fromMs + lengthMs,
  effects,
});

const unavailable: Effect = { kind: "status", status: 503 };
const unavailableForAnHour: Effect = { kind: "status", status: 503, retryAfterSeconds: 3600 };
const gone: Effect = { kind: "status", status: 410 };
const notFound: Effect = { kind: "status", status: 404 };
const deprecated: Effect = { kind: "deprecation", form: "rfc9745", afterMs: 0 };
const sunsetAt = (afterMs: number): Effect => ({ kind: "sunset", afterMs });
const successor: Effect = { kind: "link", rel: "successor-version", href: "https://v2.invalid/docs" };

/** The lengths of eight weekly brownouts. */
const sourcifyHours = [1, 1, 4, 4, 8, 8, 24, 24];
const oddHours = Array.from({ length: 12 }, (_, i) => (2 * i + 1) * hours);

const unsafeEffects: Effect[][] = [
  [{ kind: "gzip-bomb", mebibytes: 64 }],
  [{ kind: "deep-nesting", depth: 100_000 }],
  [{ kind: "huge-numbers" }, { kind: "duplicate-keys" }, { kind: "proto-keys" }, { kind: "bad-utf8" }],
  [{ kind: "bad-gzip" }],
  [{ kind: "slow-drip", bytesPerSecond: 10 }],
  [{ kind: "markup" }, { kind: "wrong-content-type", type: "text/html" }],
];

const rows = [
  scenario("healthy", "V1 exactly as documented. No alert is expected.", { steps: [], truth: [] }),

  // This profile has breaking differences from the document from the first response on. A monitor should
  // record them as the baseline and not alert.
  scenario("realistic", "V1 as observed: nulls, numbers for strings, extra keys. No alert is expected.", {
    profile: "realistic",
    steps: [],
    truth: [],
  }),

  scenario("silent-retype", "Scores become strings and follower counts become numbers, unannounced.", {
    steps: [
      from(
        days,
        { kind: "retype-field", path: "passports[].score", to: "string" },
        { kind: "retype-field", path: "passport.score", to: "string" },
        { kind: "retype-field", path: "passport.passport_socials[].follower_count", to: "number" },
      ),
    ],
    truth: [truth("drift/breaking", days)],
  }),

  scenario("field-removed", "connections_count is removed from the responses.", {
    steps: [
      from(
        days,
        { kind: "drop-field", path: "passports[].connections_count" },
        { kind: "drop-field", path: "passport.connections_count" },
      ),
    ],
    truth: [truth("drift/breaking", days)],
  }),

  scenario("frozen", "The data is no longer recalculated. Everything else works.", {
    startAtMs: 8 * days,
    steps: [from(2 * days, { kind: "freeze" })],
    truth: [truth("data/frozen", 2 * days, 3 * days)],
  }),

  scenario("key-mandatory", "Requests without a key get 401. Requests with a key get 200.", {
    steps: [from(days, { kind: "unauthorized", who: "anonymous" })],
    // The anonymous variant is sent once a day.
    truth: [truth("access/key-mandatory", days, days + detectionMs)],
  }),

  scenario("key-revoked", "Requests with the key get 401. Requests without a key get 200.", {
    steps: [from(days, { kind: "unauthorized", who: "authenticated" })],
    truth: [truth("access/key-revoked", days)],
  }),

  scenario("quota-exhausted", "Requests with the key get 401, with headers that report an exhausted quota.", {
    steps: [from(days, { kind: "quota-exhausted", limit: 5000 })],
    truth: [truth("access/quota-exhausted", days)],
  }),

  scenario("endpoint-withdrawn", "The credentials endpoint returns 401 to all requests. The others work.", {
    steps: [from(days, { kind: "unauthorized", who: "all", endpoint: "passport-credentials" })],
    truth: [truth("access/endpoint-withdrawn", days)],
  }),

  scenario("retired-by-401", "Every request gets 401, with and without a key.", {
    steps: [from(days, { kind: "unauthorized", who: "all" })],
    truth: [truth("access/retired-by-401", days)],
  }),

  scenario("data-shrinking", "The list contains only 3 records.", {
    steps: [from(days, { kind: "data-shrinking", keep: 3 })],
    truth: [truth("data/data-shrinking", days)],
  }),

  scenario(
    "github-brownouts",
    "503 from 07 to 10 and 16 to 19 UTC on two dates four weeks apart, then 404.",
    {
      lengthMs: 50 * days,
      fromMidnight: true,
      steps: [
        ...[2, 30].flatMap((day) =>
          [7, 16].map((hour) => during(day * days + hour * hours, 3 * hours, unavailable)),
        ),
        from(47 * days, notFound),
      ],
      truth: [
        truth("down", 2 * days + 7 * hours),
        truth("retirement/brownout", 2 * days + 7 * hours, 28 * days + 4 * hours),
        truth("retirement/gone", 47 * days),
      ],
    },
  ),

  scenario("sourcify-brownouts", "503 once a week for 1, 1, 4, 4, 8, 8, 24 and 24 hours, then 410.", {
    lengthMs: 65 * days,
    fromMidnight: true,
    steps: [
      ...sourcifyHours.map((length, week) =>
        during((2 + week * 7) * days + 12 * hours, length * hours, unavailableForAnHour),
      ),
      from(60 * days, gone),
    ],
    truth: [
      truth("retirement/brownout", 2 * days + 12 * hours, 14 * days + 5 * hours),
      truth("retirement/gone", 60 * days),
    ],
  }),

  scenario("last-day-odd-hours", "503 in the odd hours of the last day, then 410.", {
    lengthMs: 5 * days,
    fromMidnight: true,
    steps: [...oddHours.map((hour) => during(2 * days + hour, hours, unavailable)), from(3 * days, gone)],
    truth: [truth("retirement/brownout", 2 * days + hours, 12 * hours), truth("retirement/gone", 3 * days)],
  }),

  scenario("sunset-announced", "Sunset, Deprecation and Link headers appear, with a date in two months.", {
    steps: [from(days, sunsetAt(61 * days), deprecated, successor)],
    truth: [truth("retirement/announced", days)],
  }),

  scenario("sunset-moved-earlier", "The date of the Sunset header moves 45 days closer.", {
    startAtMs: 10 * days,
    steps: [
      during(days, 9 * days, sunsetAt(90 * days), deprecated),
      from(10 * days, sunsetAt(45 * days), deprecated),
    ],
    truth: [truth("retirement/announced", days), truth("retirement/moved-earlier", 10 * days)],
  }),

  scenario("date-passed-still-alive", "The announced date passes, and V1 still responds.", {
    startAtMs: 11 * days,
    steps: [from(days, sunsetAt(10 * days), deprecated)],
    truth: [truth("retirement/announced", days), truth("retirement/date-passed", 10 * days, days)],
  }),

  scenario("serves-v2", "V1's paths return responses in the shape of V2.", {
    steps: [from(days, { kind: "v2-shaped" })],
    truth: [truth("data/serves-v2", days)],
  }),

  scenario("stub-data", "Every response is a 200 in which all scores are 0.", {
    steps: [from(days, { kind: "stub-data", form: "zeros" })],
    truth: [truth("data/stub-data", days)],
  }),

  scenario("gone", "410 on every endpoint, 404 a week later.", {
    steps: [during(days, 7 * days, gone), from(8 * days, notFound)],
    truth: [truth("retirement/gone", days)],
  }),

  scenario("flaky-network", "A third of the requests are reset, truncated or get no response.", {
    steps: [
      from(
        days,
        { kind: "reset", rate: 0.15 },
        { kind: "truncated", rate: 0.1 },
        { kind: "hang", rate: 0.1 },
      ),
    ],
    truth: [truth("network/flaky", days, days)],
  }),

  scenario(
    "unsafe-response",
    "Gzip bombs, bad bytes, deep nesting, slow bodies and markup, two hours each.",
    {
      lengthMs: 5 * days,
      steps: Array.from({ length: 48 }, (_, turn) =>
        during(days + turn * 2 * hours, 2 * hours, ...(unsafeEffects[turn % unsafeEffects.length] ?? [])),
      ),
      truth: [truth("unsafe-response", days, 4 * hours)],
    },
  ),
] as const;

export type ScenarioName = (typeof rows)[number]["name"];
export const scenarios: readonly Scenario[] = rows;
export const scenarioNames: readonly ScenarioName[] = rows.map(({ name }) => name);

export function scenarioNamed(name: ScenarioName): Scenario {
  const found = rows.find((row) => row.name === name);
  if (!found) throw new Error(`unknown scenario "${name}"`);
  return found;
}
