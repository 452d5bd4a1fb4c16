// The named scenarios. Each is healthy at first, so that a monitor has a baseline.
import type { Effect } from "./effects/index.ts";
import { days, hours, minutes } from "./population.ts";
import type { ExpectedRule, Scenario, Step, Truth } from "./scenario.ts";

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

/** Time for two confirmations at a calm cadence of half an hour, and half an hour of grace. */
const soon = 90 * minutes;
const truth = (rule: ExpectedRule, fromMs: number, withinMs = soon): Truth => ({ rule, fromMs, withinMs });
const change = (rule: ExpectedRule, fromMs: number, withinMs = soon): Truth => ({
  ...truth(rule, fromMs, withinMs),
  event: "changed",
});
const from = (fromMs: number, ...effects: Effect[]): Step => ({ fromMs, effects });
const during = (fromMs: number, lengthMs: number, ...effects: Effect[]): Step => ({
  fromMs,
  untilMs: fromMs + lengthMs,
  effects,
});

const unavailable: Effect = { kind: "status", status: 503 };
const gone: Effect = { kind: "status", status: 410 };
const notFound: Effect = { kind: "status", status: 404 };
const deprecated: Effect = { kind: "deprecation", afterMs: 0 };
const sunsetAt = (afterMs: number): Effect => ({ kind: "sunset", afterMs });
const successor: Effect = { kind: "link", rel: "successor-version", href: "https://v2.invalid/docs" };

const retypedFields: Effect[] = [
  { kind: "retype-field", path: "passports[].score", to: "string" },
  { kind: "retype-field", path: "passport.score", to: "string" },
  { kind: "retype-field", path: "passport.passport_socials[].follower_count", to: "number" },
];

const unsafeEffects: Effect[][] = [
  [{ kind: "gzip-bomb", mebibytes: 64 }],
  [{ kind: "deep-nesting", depth: 100_000 }],
  [{ kind: "huge-numbers" }, { kind: "proto-keys" }, { kind: "bad-utf8" }],
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
    steps: [from(days, ...retypedFields)],
    truth: [truth("breaking-drift", days)],
  }),

  scenario("frozen", "The data is no longer recalculated. Everything else works.", {
    startAtMs: 8 * days,
    steps: [from(2 * days, { kind: "freeze" })],
    truth: [truth("frozen", 2 * days, 4 * days)],
  }),

  scenario("key-mandatory", "Requests without a key get 401. Requests with a key get 200.", {
    steps: [from(days, { kind: "unauthorized", who: "anonymous" })],
    // Requests without a key are a rare variant: asked once a day.
    truth: [truth("anonymous-refused", days, 2 * days)],
  }),

  scenario("key-revoked", "Requests with the key get 401. Requests without a key get 200.", {
    steps: [from(days, { kind: "unauthorized", who: "authenticated" })],
    truth: [truth("key-refused", days)],
  }),

  scenario("quota-exhausted", "Requests with the key get 401, with headers that report an exhausted quota.", {
    steps: [from(days, { kind: "quota-exhausted", limit: 5000 })],
    truth: [truth("quota-exhausted", days)],
  }),

  scenario("endpoint-withdrawn", "The credentials endpoint returns 401 to all requests. The others work.", {
    steps: [from(days, { kind: "unauthorized", who: "all", endpoint: "passport-credentials" })],
    truth: [truth("access-refused", days)],
  }),

  scenario("retired-by-401", "Every request gets 401, with and without a key.", {
    steps: [from(days, { kind: "unauthorized", who: "all" })],
    truth: [truth("maybe-retired", days)],
  }),

  scenario("data-shrinking", "The list contains only 3 records.", {
    steps: [from(days, { kind: "data-shrinking", keep: 3 })],
    truth: [truth("data-shrinking", days)],
  }),

  scenario(
    "sunset-moved-earlier",
    "Sunset, Deprecation and Link headers appear, and the date moves 45 days closer.",
    {
      startAtMs: 10 * days,
      steps: [
        during(days, 9 * days, sunsetAt(90 * days), deprecated, successor),
        from(10 * days, sunsetAt(45 * days), deprecated, successor),
      ],
      truth: [truth("sunset", days), change("sunset", 10 * days)],
    },
  ),

  scenario("date-passed-still-alive", "The announced date passes, and V1 still responds.", {
    startAtMs: 11 * days,
    steps: [from(days, sunsetAt(10 * days), deprecated)],
    truth: [truth("sunset", days), change("sunset-passed", 10 * days, days)],
  }),

  scenario("serves-v2", "V1's paths return responses in the shape of V2.", {
    steps: [from(days, { kind: "v2-shaped" })],
    truth: [truth("serves-v2", days)],
  }),

  scenario("stub-data", "Every response is a 200 in which all scores are 0.", {
    steps: [from(days, { kind: "stub-data", form: "zeros" })],
    truth: [truth("stub-data", days)],
  }),

  scenario("gone", "410 on every endpoint, 404 a week later.", {
    steps: [during(days, 7 * days, gone), from(8 * days, notFound)],
    truth: [truth("gone", days)],
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
    truth: [truth("error-rate", days, days)],
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

  scenario(
    "retirement",
    "Three months: drift, a refused key, stale data, brownouts, a Sunset that moves, 410.",
    {
      lengthMs: 92 * days,
      steps: [
        {
          ...during(7 * days + 9 * hours, 3 * days, ...retypedFields),
          text: "Drift: scores become strings and follower counts become numbers.",
        },
        {
          ...during(14 * days + 160 * minutes, 8 * hours, { kind: "unauthorized", who: "authenticated" }),
          text: "Access: requests with our key get 401. Requests without a key are served.",
        },
        {
          ...during(20 * days, 6 * days, { kind: "freeze" }),
          text: "Stale data: the records are no longer recalculated. Every response looks healthy.",
        },
        ...[30, 37, 44].map((day, index) => ({
          ...during(day * days + 12 * hours, [1, 1, 4][index]! * hours, unavailable),
          text: `Brownout ${index + 1} of 3: V1 answers 503 from 12:00 to ${["13:00", "13:00", "16:00"][index]} UTC.`,
        })),
        {
          ...during(48 * days + 9 * hours, 10 * days, sunsetAt(120 * days), deprecated, successor),
          text: "Announcement: V1 sends Sunset, Deprecation and Link headers. The date is in 72 days.",
        },
        {
          ...during(58 * days + 9 * hours, 31 * days - 9 * hours, sunsetAt(89 * days), deprecated, successor),
          text: "The Sunset date moves 31 days closer.",
        },
        { ...from(89 * days, gone), text: "The announced day: V1 answers 410 to every request." },
      ],
      truth: [
        truth("breaking-drift", 7 * days + 9 * hours),
        truth("key-refused", 14 * days + 160 * minutes),
        truth("frozen", 20 * days, 4 * days),
        truth("down", 30 * days + 12 * hours),
        truth("recurring-outages", 44 * days + 12 * hours, 5 * hours),
        truth("sunset", 48 * days + 9 * hours),
        change("sunset", 58 * days + 9 * hours),
        truth("retired", 89 * days),
      ],
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
