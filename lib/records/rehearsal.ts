// The result of a rehearsal of V1's end: what the team's smoke test did under each scenario, and what that proves.
import * as z from "zod";
import { listSome, plural } from "../text.ts";

export const rehearsalFileName = "v1watch.rehearsal.json";

/**
 * What V1 may do at its end, as a sentence without its subject. Whoever passes a broken scenario without a word has not
 * noticed: V1's responses have no data, or wrong data. "healthy" is the control: a smoke test has to pass it.
 */
export const rehearsalTable = {
  healthy: { does: "answers as it always does", isBroken: false },
  announced: { does: "announces its end in Sunset, Deprecation and Link headers", isBroken: false },
  brownout: { does: "answers 503 with Retry-After", isBroken: true },
  "server-error": { does: "answers 500", isBroken: true },
  "rate-limited": { does: "answers 429 with Retry-After", isBroken: true },
  unauthorized: { does: "answers 401 to everybody", isBroken: true },
  forbidden: { does: "answers 403 to everybody", isBroken: true },
  gone: { does: "answers 410", isBroken: true },
  "not-found": { does: "answers 404", isBroken: true },
  redirected: { does: "redirects to V2's documentation", isBroken: true },
  moved: { does: "answers 301 with an address of V2, which answers in its own shape", isBroken: true },
  "web-page": { does: "answers 200 with a web page", isBroken: true },
  "v2-shape": { does: "answers 200 in V2's shape", isBroken: true },
  retyped: { does: "answers with scores as text and numbers of followers as numbers", isBroken: true },
  "zero-scores": { does: "answers 200 with every score 0", isBroken: true },
  "empty-lists": { does: "answers 200 with empty lists", isBroken: true },
  frozen: { does: "answers with data that is 45 days old", isBroken: true },
  "cut-json": { does: "closes the connection in the middle of the JSON", isBroken: true },
  reset: { does: "takes the connection and resets it", isBroken: true },
  hangs: { does: "takes the request and does not answer", isBroken: true },
  slow: { does: "sends 20 bytes a second", isBroken: true },
} as const satisfies Record<string, { does: string; isBroken: boolean }>;

/** What a proxy that has to take the connection cannot play. */
export const notPlayable = "a refused connection, a name that cannot be resolved and a failed TLS handshake";

export type RehearsalName = keyof typeof rehearsalTable;
type BrokenName = {
  [Name in RehearsalName]: (typeof rehearsalTable)[Name]["isBroken"] extends true ? Name : never;
}[RehearsalName];

export const rehearsalNames = Object.keys(rehearsalTable) as RehearsalName[];
export const isBrokenName = (name: RehearsalName): name is BrokenName => rehearsalTable[name].isBroken;
const brokenNames = rehearsalNames.filter(isBrokenName);

/** What the smoke test did, in words, and what that says about V1's end. */
export const rehearsalResults = {
  passed: { text: "passed", means: "expected" },
  handled: { text: "handled", means: "noticed" },
  loud: { text: "failed loudly", means: "noticed" },
  silent: { text: "passed unnoticed", means: "unnoticed" },
  hangs: { text: "did not end", means: "unnoticed" },
  "not-called": { text: "did not ask V1", means: "unknown" },
  "not-played": { text: "not played: V1's response was missing or stayed as it is", means: "unknown" },
  "not-served": { text: "was not served, although V1 was healthy", means: "unknown" },
  "false-alarm": { text: "printed the --handled text, although V1 served it", means: "unknown" },
  failed: { text: "failed, although V1 served it", means: "unknown" },
} as const;
export type RehearsalResult = keyof typeof rehearsalResults;
const resultNames = Object.keys(rehearsalResults) as RehearsalResult[];

const row = z.strictObject({
  scenario: z.string().max(40),
  does: z.string().max(120).describe("What V1 did, without the subject: answers 503."),
  requests: z.int().nonnegative().describe("Requests that the smoke test made to V1's documented paths."),
  played: z
    .int()
    .nonnegative()
    .describe("Those that were answered as the scenario says; while V1 is healthy, those that it served."),
  exitCode: z.int().nullable().describe("Null where it was ended by a signal."),
  result: z.enum(resultNames),
});
type Row = z.infer<typeof row>;

export const rehearsal = z
  .strictObject({
    schema: z.literal("v1watch/rehearsal/2"),
    at: z.iso.datetime(),
    upstream: z.enum(["v1", "simulator"]).describe("Where the responses came from."),
    upstreamRequests: z.int().nonnegative().describe("Requests that V1's quota paid for."),
    rows: z.array(row).max(40),
  })
  .meta({ title: "Result of a rehearsal by v1watch" });
export type Rehearsal = z.infer<typeof rehearsal>;

export const rehearsalJsonSchema = () => z.toJSONSchema(rehearsal, { io: "output" });

/** The run of a broken scenario in which V1 was asked, its end was played, and the smoke test noticed. */
type NoticedRow = Row & { result: "handled" | "loud" };
const isNoticed = (one: Row): one is NoticedRow =>
  rehearsalResults[one.result].means === "noticed" && one.requests > 0 && one.played > 0;

/** What a rehearsal proves. `noticed` has one run for each scenario that had to be played, and there is at least one. */
export type RehearsalProof =
  | { kind: "noticed"; noticed: readonly [NoticedRow, ...NoticedRow[]]; sentence: string }
  | { kind: "unnoticed" | "incomplete" | "no-control"; sentence: string; scenarios: readonly string[] };

const controlProblems: Partial<Record<RehearsalResult, string>> = {
  "not-called": "did not ask V1",
  "not-served": "was not served",
  "false-alarm": "printed the text of --handled",
  hangs: "did not end",
};

/** "4 passed unnoticed, 2 did not end": each number is that of the rows with this text. */
function countResults(texts: readonly string[]): string {
  const groups = Map.groupBy(texts, (text) => text);
  return [...groups].map(([text, of]) => `${of.length} ${text}`).join(", ");
}

/** What the rows prove about the scenarios that had to be played: all broken ones, unless fewer were asked for. */
export function judgeRows(
  rows: Rehearsal["rows"],
  required: readonly RehearsalName[] = brokenNames,
): RehearsalProof {
  const find = (name: string) => rows.find(({ scenario }) => scenario === name);
  const control = find("healthy");
  if (control?.result !== "passed" || control.requests === 0 || control.played === 0) {
    const problem = control ? (controlProblems[control.result] ?? "failed") : "was not run";
    return {
      kind: "no-control",
      sentence: `the smoke test ${problem} while V1 was healthy, so its other runs prove nothing`,
      scenarios: ["healthy"],
    };
  }
  const total = required.length;
  const isAll = total === brokenNames.length;
  const ways = isAll ? `${total} ways in which V1 may end` : plural(total, "scenario");
  const textOf = (name: string) => {
    const run = find(name);
    return run ? rehearsalResults[run.result].text : "not played";
  };
  const describe = (names: readonly string[]) => `${countResults(names.map(textOf))} (${listSome(names)})`;

  const unnoticed = required.filter((name) => {
    const run = find(name);
    return run && rehearsalResults[run.result].means === "unnoticed";
  });
  if (unnoticed.length > 0)
    return {
      kind: "unnoticed",
      sentence: `nobody would notice ${unnoticed.length} of ${ways}: ${describe(unnoticed)}`,
      scenarios: unnoticed,
    };
  const [first, ...others] = required.flatMap((name) => find(name) ?? []).filter(isNoticed);
  const proven = new Set([first, ...others].map((run) => run?.scenario));
  const unproven = required.filter((name) => !proven.has(name));
  if (!first || unproven.length > 0)
    return {
      kind: "incomplete",
      sentence: `nothing is known about ${unproven.length} of ${ways}: ${describe(unproven)}`,
      scenarios: unproven,
    };
  const counts = countResults(required.map(textOf));
  return {
    kind: "noticed",
    noticed: [first, ...others],
    sentence: isAll ? `all ${ways} were noticed: ${counts}` : `V1's end was noticed in ${ways}: ${counts}`,
  };
}
