// The JSON that `scan`, `migrate plan`, `migrate coverage` and `ready` print. Their schemas are published in schemas/.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";
import { inventoryField, inventoryUse } from "./inventory.ts";
import { decisions } from "./mapping.ts";

const text = z.string().max(4_096);

export const planLine = z.strictObject({
  file: text,
  line: z.int().positive(),
  package: text,
  owners: z.array(text).describe("The owner in the inventory, or the owners in CODEOWNERS."),
  kind: z
    .enum(["call", "read", "decoder", "undocumented", "hazard", "address"])
    .describe(
      "decoder: a declared type requires the field. undocumented: V1's document does not have the field. address: V1's base address in configuration.",
    ),
  from: text.describe("The request, the path of the field, or what the code does today."),
  to: text.nullable().describe("What it becomes in V2; null if there is no counterpart or no decision."),
  change: text.describe("What to do with the line."),
  request: text
    .optional()
    .describe("The request of V2 that this line needs; several are separated by commas."),
  confidence: inventoryUse.shape.confidence,
});
export type PlanLine = z.infer<typeof planLine>;

export const plan = z
  .strictObject({
    schema: z.literal("v1watch/plan/1"),
    isStarter: z.boolean().optional().describe("The plan was made with the unverified starter mapping."),
    linesToChange: z.int().nonnegative().describe("Distinct source lines that have to change."),
    lines: z.array(planLine),
  })
  .meta({ title: "v1watch migrate plan --json" });
export type Plan = z.infer<typeof plan>;

const count = z.int().nonnegative();
const line = count;
const endpoint = z.enum(endpointIds);
const { confidence } = inventoryUse.shape;

/** In which way a failing or changed V1 goes unnoticed; lib/scan/uses.ts explains the rules. */
const hazardRule = z.enum([
  "catch-default",
  "status-default",
  "fallback-default",
  "string-number",
  "integer-id",
]);

const scanUse = z.strictObject({
  id: text.describe("File, endpoint and enclosing function: `src/client.ts passport getScore`."),
  file: text,
  line,
  language: text,
  package: text,
  codeOwners: z.array(text),
  endpoint,
  inside: text.describe("The enclosing function; empty for the module."),
  confidence,
  why: text.describe("Why the scan takes it for a use of V1."),
  calls: z.array(line).describe("Lines that call V1; empty if the function only reads values of V1."),
  fields: z.array(inventoryField.extend({ confidence, why: text })),
  hazards: z.array(z.strictObject({ rule: hazardRule, line, confidence })),
  passedOn: inventoryUse.shape.passedOn,
});
export type ScanUse = z.infer<typeof scanUse>;

export const scanOutput = z
  .strictObject({
    schema: z.literal("v1watch/scan/1"),
    files: count.describe("Files that were read."),
    lines: count,
    folders: z
      .array(
        z.strictObject({
          name: text,
          files: count,
          commit: text.optional().describe("The commit that git had there; shown only."),
          digest: text.describe("Of the paths and contents."),
          skipped: z
            .array(text)
            .describe("Folders that were left out by their name, although git tracks files in them."),
        }),
      )
      .describe("The folders that were scanned, and how many files of each were read."),
    missing: z
      .array(text)
      .describe("What git tracks and the disk lacks, as in a sparse checkout or a submodule."),
    links: z
      .array(z.strictObject({ file: text, to: text }))
      .describe("Symbolic links that lead out of these folders; what is behind them was not read."),
    uses: z.array(scanUse),
    tests: z.array(scanUse).describe("Uses in tests, which call a mock of V1; not counted."),
    questions: z
      .array(z.strictObject({ file: text, line, names: z.array(text) }))
      .describe(
        "Files that read V1's fields, or have the parts of a request to V1, although no call of V1 was found near them.",
      ),
    addresses: z
      .array(z.strictObject({ file: text, line }))
      .describe("Lines of configuration with the base address of V1: lines to change."),
    notCounted: z
      .array(z.strictObject({ file: text, line, endpoint, why: text.describe("Why it is no call of V1.") }))
      .describe("V1's paths in the code that are not counted as calls."),
    unfollowed: z.array(text).describe("Files that were not analysed to the end."),
    summary: z.strictObject({
      uses: count,
      files: count,
      calls: count,
      hazards: z.record(text, count),
      readAsText: z
        .array(text)
        .describe(
          "Files with uses in languages that are not parsed: their fields are a lower bound, and hazards were not looked for.",
        ),
      endpoints: z.array(
        z.strictObject({ endpoint, uses: count, calls: count, fields: z.record(text, count) }),
      ),
    }),
    plan: plan.optional().describe("What each line becomes in V2; absent without a mapping."),
    new: z
      .array(text)
      .optional()
      .describe("With --new: the ids of the uses that the inventory does not have."),
    gone: z.array(text).optional().describe("With --new: the ids of the inventory's uses that are gone."),
  })
  .meta({ title: "v1watch scan --json" });
export type ScanOutput = z.infer<typeof scanOutput>;

export const standing = z.enum(["decided", "unverified", "undecided", "expired", "unowned"]);
const decided = { decision: z.enum(decisions), standing, note: text.optional() };

export const coverageOutput = z
  .strictObject({
    schema: z.literal("v1watch/coverage/1"),
    counts: z.record(standing, count),
    isDecided: z.boolean(),
    fields: z.array(
      z.strictObject({
        path: text,
        endpoint,
        ...decided,
        to: z.strictObject({ endpoint: text, path: text }).optional(),
        uses: count.optional().describe("Lines that use the field; absent without an inventory."),
      }),
    ),
    behaviours: z.array(z.strictObject({ id: text, v1: text, ...decided })),
  })
  .meta({ title: "v1watch migrate coverage --json" });
export type CoverageOutput = z.infer<typeof coverageOutput>;

/** A gate of readiness, with texts that are as long as a command or a report shows them. */
export const gateOf = (text: z.ZodString) =>
  z.strictObject({
    id: text,
    title: text.describe("What has to be so."),
    state: z.enum(["pass", "fail", "unknown"]),
    problem: text.describe("What is wrong or unknown, in one clause; empty for a passed gate."),
    evidence: z.array(text),
    next: text.describe("The next step; empty for a passed gate."),
    passesWhen: text.describe("What makes the gate pass."),
    owners: z.array(text),
    places: z.array(z.strictObject({ file: text, line: z.int().positive() })),
  });
const gate = gateOf(text);

export const readinessOutput = z
  .strictObject({
    schema: z.literal("v1watch/readiness/1"),
    verdict: z.enum(["ready", "not ready", "unknown"]),
    sentence: text,
    gates: z.array(gate),
    blockers: z.array(gate).describe("Every gate that fails, the most important first."),
    monitor: z.strictObject({
      isHealthy: z.boolean(),
      says: text,
      warning: text.optional().describe("What is wrong with the alerts' subscriptions."),
    }),
  })
  .meta({ title: "v1watch ready --json" });
export type ReadinessOutput = z.infer<typeof readinessOutput>;

/** The published JSON Schemas by the names of their files. */
export const outputSchemas = {
  plan: () => z.toJSONSchema(plan),
  scan: () => z.toJSONSchema(scanOutput),
  coverage: () => z.toJSONSchema(coverageOutput),
  readiness: () => z.toJSONSchema(readinessOutput),
};
