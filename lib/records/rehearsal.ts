// The result of a rehearsal of V1's end: what the team's smoke test did under each scenario.
import * as z from "zod";

export const rehearsalFileName = "v1watch.rehearsal.json";

/** What the smoke test did, in words, and whether somebody would have noticed that V1 is broken. */
export const rehearsalResults = {
  /** It passed and said that it noticed, or there was nothing to notice. */
  handled: { text: "handled", means: "noticed" },
  loud: { text: "failed, so that it is noticed", means: "noticed" },
  silent: { text: "passed unnoticed", means: "unnoticed" },
  hangs: { text: "did not end", means: "unnoticed" },
  "not-called": { text: "did not ask V1", means: "unknown" },
} as const;
export type RehearsalResult = keyof typeof rehearsalResults;
const resultNames = Object.keys(rehearsalResults) as RehearsalResult[];

const row = z.strictObject({
  scenario: z.string().max(40),
  does: z.string().max(120).describe("What V1 did, without the subject: answers 503."),
  requests: z.int().nonnegative().describe("Requests that the smoke test made to V1's address."),
  exitCode: z.int().nullable().describe("Null where it was ended by a signal."),
  result: z.enum(resultNames),
});

export const rehearsal = z
  .strictObject({
    schema: z.literal("v1watch/rehearsal/1"),
    at: z.iso.datetime(),
    upstream: z.enum(["v1", "simulator"]).describe("Where the responses came from."),
    upstreamRequests: z.int().nonnegative().describe("Requests that V1's quota paid for."),
    rows: z.array(row).max(40),
  })
  .meta({ title: "Result of a rehearsal by v1watch" });
export type Rehearsal = z.infer<typeof rehearsal>;

export const rehearsalJsonSchema = () => z.toJSONSchema(rehearsal, { io: "output" });

/** Scenarios in which nobody would have noticed that V1 is broken. */
export const unnoticed = ({ rows }: Rehearsal) =>
  rows.filter(({ result }) => rehearsalResults[result].means === "unnoticed");
