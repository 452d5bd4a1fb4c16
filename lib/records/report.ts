// The readiness report as data; HTML and Markdown are rendered from it. Its JSON Schema is published as
// schemas/report.schema.json. It contains paths, counts, dates and the team's notes, but no values of V1 or V2.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";
import { gapIds } from "../contract/gaps.ts";
import { severities } from "./incident.ts";
import { decisions } from "./mapping.ts";
import { levels } from "./observation.ts";
import { gateOf, planLine, standing } from "./outputs.ts";
import { judgedKinds, numberCounts } from "./parity.ts";
import { rehearsal } from "./rehearsal.ts";

const count = z.int().nonnegative();
const instant = z.iso.datetime();
const day = z.iso.date();
const share = z.number().min(0).max(1);
/** Longer texts are truncated when the report is built. */
const text = z.string().max(600);
const endpoint = z.enum(endpointIds);
const place = z.strictObject({ file: text, line: z.int().positive() });

const gate = gateOf(text);

const target = z.strictObject({
  decision: z.enum(decisions),
  standing,
  to: text.optional().describe("Endpoint and path in V2."),
});

const usedField = z.strictObject({
  endpoint,
  path: text,
  consumers: z.array(text),
  /** Absent if there is no mapping. */
  target: target.optional(),
});

const healthDay = z.strictObject({
  day,
  answers: count.describe("Responses that count for V1's health; excludes the monitor's own faults and 429."),
  ok: count,
  unauthorized: count,
  p95Ms: z.number().nonnegative().nullable(),
  newestAgeSeconds: z.number().nonnegative().nullable().describe("null means unknown."),
});
export type HealthDay = z.infer<typeof healthDay>;

const endpointHealth = z.strictObject({
  endpoint,
  answers: count,
  judged: count.describe(
    "Responses ever validated against V1's document; excludes 401 responses and V2 bodies.",
  ),
  availability: share.nullable(),
  unauthorized: share.nullable(),
  worstP95Ms: z.number().nonnegative().nullable(),
  newestAgeSeconds: z
    .number()
    .nonnegative()
    .nullable()
    .describe("Of the last day with a response; null means unknown."),
  days: z.array(healthDay),
});

const driftRow = z.strictObject({
  id: text,
  endpoint,
  path: text,
  what: text,
  means: text,
  level: z.enum(levels),
  isChange: z.boolean(),
  isCurrent: z.boolean(),
  firstSeen: instant,
  lastSeen: instant,
  seen: count,
  sampleCount: count,
  usedBy: z.array(text),
  review: z
    .strictObject({ kind: z.enum(["ack", "mute"]), reason: text, until: instant.optional() })
    .optional(),
});

const incidentRow = z.strictObject({
  id: text,
  title: text,
  severity: z.enum(severities),
  state: z.enum(["firing", "resolved"]),
  since: instant,
  resolvedAt: instant
    .optional()
    .describe(
      "When the first good response arrived or another cause replaced the incident; absent while it is firing.",
    ),
  evidence: z.array(text),
});

const parity = z.strictObject({
  verdict: z.enum(["parity", "differences", "insufficient"]),
  pairs: count,
  fields: count,
  insufficient: count,
  shallow: z
    .array(
      z.strictObject({
        path: text,
        compare: z.enum(["type", "presence"]),
        numbers: numberCounts.optional().describe("What is known about the values of a number."),
      }),
    )
    .optional()
    .describe("Fields that were compared by type or presence only."),
  skipped: count,
  requests: z.strictObject({ v1: count, v2: count }),
  differences: z.array(
    z.strictObject({
      path: text,
      kind: z.enum(judgedKinds),
      rawRate: share,
      noiseRate: share,
      isUsed: z.boolean(),
    }),
  ),
  others: z
    .array(
      z.strictObject({
        path: text,
        kind: z.enum(judgedKinds),
        raw: count,
        compared: count,
        standing: z
          .enum(["unsure", "gone", "varying"])
          .describe(
            "unsure: too rare to rule out chance, and not read again. gone: equal when read again. varying: as often as V1 differs from itself.",
          ),
      }),
    )
    .optional()
    .describe("Every other difference that was seen."),
  shape: z.array(z.strictObject({ breach: text, answers: count })),
  doubt: text.optional().describe("Why the comparison is outdated; absent if it is current."),
});

const mappingRow = z.strictObject({
  path: text,
  ...target.shape,
  owner: text.optional(),
  note: text.optional(),
  isUsed: z.boolean(),
});

const mapping = z.strictObject({
  decided: count,
  rows: z.array(mappingRow),
  behaviours: z.array(
    z.strictObject({ id: text, v1: text, ...target.shape, becomes: text.optional(), note: text.optional() }),
  ),
});

const consumer = z.strictObject({
  name: text.describe("An app or package that depends on V1."),
  owners: z.array(text),
  status: z.enum(["v1", "dual", "v2"]),
  endpoints: z.array(endpoint),
  fields: count,
  hazards: count.describe("Number of lines where a failing V1 looks like 0, an empty value or a wrong sum."),
  filesReadAsText: count
    .default(0)
    .describe(
      "Files in languages that are not parsed: all fields of their endpoints count as used, and hazards were not looked for.",
    ),
  isExcepted: z.boolean().describe("Whether every V1-only use has a valid exception."),
  exceptions: z.array(z.strictObject({ reason: text, expires: day })),
  places: z.array(place).max(5),
});

/** The report shows the first lines; `v1watch migrate plan` shows all of them. */
export const maxPlanLines = 500;

const reportPlanLine = z.strictObject({
  file: text,
  line: z.int().positive(),
  package: text,
  owners: z.array(text),
  kind: planLine.shape.kind,
  from: text,
  to: text.nullable(),
  change: text,
  request: planLine.shape.request,
  confidence: planLine.shape.confidence,
});

export const report = z
  .strictObject({
    $schema: text.optional(),
    schema: z.literal("v1watch/report/1"),
    generatedAt: instant,
    api: z.strictObject({
      name: text,
      address: text.optional().describe("V1's base URL; absent where none is configured."),
    }),
    period: z.strictObject({ from: day, until: day }).describe("The days that were watched."),
    verdict: z.strictObject({ verdict: z.enum(["ready", "not ready", "unknown"]), sentence: text }),
    /** The same verdict on V1 as on the dashboard; absent without data of the monitor. */
    v1: z
      .strictObject({
        headline: text,
        severity: z.enum([...severities, "ok", "unknown"]),
        at: instant
          .optional()
          .describe("When V1 was last checked. Absent where it never was, and in older reports."),
      })
      .optional(),
    monitor: z.strictObject({
      isHealthy: z.boolean(),
      says: text,
      warning: text
        .optional()
        .describe("What keeps alerts from reaching somebody. Absent where nothing does."),
    }),
    blockers: z.array(gate).describe("Every gate that fails, the most important first."),
    gates: z.array(gate),
    timeLeft: z.strictObject({
      level: text,
      headline: text,
      date: day.optional(),
      dateText: text.optional().describe("The date with its endpoints, where it is not that of all."),
      daysLeft: z.int().optional().describe("Until the date; absent while V1's end may have come."),
      end: text.optional().describe("What V1 does instead of serving its data, when its end may have come."),
      workLines: count.optional().describe("Source lines that use V1. Absent without an inventory."),
      workDays: z
        .strictObject({ least: count, most: count })
        .optional()
        .describe("An estimate. Absent without an inventory."),
      reasons: z.array(text),
      next: text.optional(),
    }),
    usage: z.array(usedField).nullable(),
    plan: z
      .strictObject({ linesToChange: count, lines: z.array(reportPlanLine).max(maxPlanLines) })
      .nullable()
      .optional()
      .describe("What each line that uses V1 becomes in V2; null without an inventory or a mapping."),
    health: z.array(endpointHealth),
    incidents: z.array(incidentRow),
    drift: z.array(driftRow),
    gaps: z.array(
      z.strictObject({
        id: z.enum(gapIds),
        section: text,
        question: text,
        status: z.enum(["open", "observed", "CHANGED"]),
        summary: text,
      }),
    ),
    access: z.array(
      z.strictObject({
        endpoint,
        asked: z.enum(["authenticated", "anonymous", "bad-key"]),
        answer: text,
        since: instant,
        times: count,
      }),
    ),
    parity: parity.nullable(),
    rehearsal: rehearsal.nullish().describe("What the smoke test did while V1's end was played."),
    mapping: mapping.nullable(),
    consumers: z.array(consumer).nullable(),
    changes: z
      .strictObject({
        since: instant,
        items: z.array(z.strictObject({ tone: z.enum(["better", "worse", "neutral"]), text })),
      })
      .nullable()
      .describe("Compared with the previous report; null if none was given."),
  })
  .meta({ title: "v1watch report" });
export type Report = z.infer<typeof report>;
export type ReportGate = Report["gates"][number];

export const reportJsonSchema = () => z.toJSONSchema(report, { io: "output" });
