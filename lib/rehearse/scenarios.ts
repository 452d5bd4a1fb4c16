// What V1 may do at its end, as effects that are laid over its responses. "healthy" is the control: a smoke test has to pass it.
import { endpoints } from "../contract/endpoints.ts";
import { fields } from "../contract/fields.ts";
import { numbersAsText } from "../contract/v1/code-names.ts";
import type { Effect } from "../simulator/effects/index.ts";
import { dayMs } from "../time.ts";

export type RehearsalScenario = {
  name: string;
  /** What V1 does, as a sentence without its subject: "answers 503". */
  does: string;
  effects: readonly Effect[];
  /** How long ago the effects began. */
  sinceMs?: number;
  /** Whoever passes this without a word has not noticed: V1's responses have no data, or wrong data. */
  isBroken: boolean;
};

const row = <Name extends string>(
  name: Name,
  does: string,
  isBroken: boolean,
  effects: readonly Effect[],
): RehearsalScenario & { name: Name } => ({ name, does, isBroken, effects });

/** The most important number of every endpoint becomes a text, and a text that holds a number becomes one. */
const numberAsText = Object.values(fields)
  .flat()
  .find(({ path }) => numbersAsText.has(path.slice(path.lastIndexOf(".") + 1)));
const retypedFields: readonly Effect[] = [
  ...Object.values(endpoints).flatMap(({ values: [path] }): Effect[] =>
    path === undefined ? [] : [{ kind: "retype-field", path, to: "string" }],
  ),
  ...(numberAsText ? [{ kind: "retype-field", path: numberAsText.path, to: "number" } as const] : []),
];

const rows = [
  row("healthy", "answers as it always does", false, []),
  row("announced", "announces its end in Sunset, Deprecation and Link headers", false, [
    { kind: "deprecation", form: "rfc9745", afterMs: 0 },
    { kind: "sunset", afterMs: 60 * dayMs },
    { kind: "link", rel: "successor-version", href: "https://v2.invalid/docs" },
  ]),
  row("brownout", "answers 503 with Retry-After", true, [
    { kind: "status", status: 503, retryAfterSeconds: 3_600 },
  ]),
  row("unauthorized", "answers 401 to everybody", true, [{ kind: "unauthorized", who: "all" }]),
  row("gone", "answers 410", true, [{ kind: "status", status: 410 }]),
  row("not-found", "answers 404", true, [{ kind: "status", status: 404 }]),
  row("redirected", "redirects to V2's documentation", true, [
    { kind: "redirect", status: 302, location: "https://v2.invalid/docs" },
  ]),
  row("web-page", "answers 200 with a web page", true, [{ kind: "html" }]),
  row("v2-shape", "answers 200 in V2's shape", true, [{ kind: "v2-shaped" }]),
  row("retyped", "answers with scores as text and numbers of followers as numbers", true, retypedFields),
  row("zero-scores", "answers 200 with every score 0", true, [{ kind: "stub-data", form: "zeros" }]),
  row("empty-lists", "answers 200 with empty lists", true, [{ kind: "stub-data", form: "empty" }]),
  {
    ...row("frozen", "answers with data that is 45 days old", true, [{ kind: "freeze" }]),
    sinceMs: 45 * dayMs,
  },
  row("hangs", "takes the request and does not answer", true, [{ kind: "hang" }]),
  row("slow", "sends 20 bytes a second", true, [{ kind: "slow-drip", bytesPerSecond: 20 }]),
] as const satisfies readonly RehearsalScenario[];

export type RehearsalName = (typeof rows)[number]["name"];
export const rehearsalScenarios: readonly (RehearsalScenario & { name: RehearsalName })[] = rows;

/** Retirements of other APIs that --schedule plays; lib/simulator/scenarios.ts has them. */
export const schedules = ["github-brownouts", "sourcify-brownouts", "last-day-odd-hours"] as const;
export type ScheduleName = (typeof schedules)[number];
