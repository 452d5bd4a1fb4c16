// v1watch.inventory.json: the code that uses V1. A scan writes what it finds; owner, status, exception and note
// are edited by hand and kept by every scan.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";
import { fields } from "../contract/fields.ts";

/** The name that every command uses unless another is given. */
export const inventoryFileName = "v1watch.inventory.json";

const day = z.iso.date();
const line = z.int().nonnegative();
const text = z.string().max(300);

const useStatuses = ["v1", "dual", "v2"] as const;
export type UseStatus = (typeof useStatuses)[number];

/** Permission for a use to stay on V1 until a given day. */
const useException = z.strictObject({
  reason: text.min(1).describe("Why the use may stay on V1."),
  expires: day.describe("The last day on which the exception is valid, within a year."),
  approvedBy: text.optional(),
});

const confidence = z
  .enum(["high", "medium", "low"])
  .describe("high: followed from a call. medium: by a declared type or a name. low: by text search.");

export const inventoryField = z.strictObject({
  /** A contract path, such as `passport.score`; an object's path includes everything in it. */
  path: z.string().max(200),
  line,
  /** Without it, the confidence of the use. */
  confidence: confidence.optional(),
  from: z.string().max(4_200).optional().describe("The call that the value came from: `src/api.ts:12`."),
  /** A declared type requires the field: decoding fails if V1 sends another type. */
  isRequired: z.boolean().optional(),
  /** V1's document does not have the field. */
  isUndocumented: z.boolean().optional(),
});
export type InventoryField = z.infer<typeof inventoryField>;
export type Confidence = z.infer<typeof confidence>;

const review = z
  .strictObject({ reason: text.min(1).describe("Why it is no use of V1."), by: text.optional() })
  .describe("Somebody looked, and it is no use of V1. Edited by hand; scans keep it.");

/** A place about which the scan could not be sure, or that it decided not to count. */
const unsureFile = z.strictObject({
  file: z.string().max(4_096),
  line,
  reason: z
    .enum(["no-call", "incomplete", "link", "missing", "not-counted"])
    .describe(
      "no-call: V1's fields are read, or a request to V1 is there in parts, but no call was found. incomplete: the analysis was cut off. link: a symbolic link leads out of the folders that were scanned. missing: git tracks it, and it is not on the disk. not-counted: V1's path is in the code, and the scan does not take it for a call.",
    ),
  endpoint: z.enum(endpointIds).optional().describe("Of a place that is not counted."),
  why: z.string().max(4_300).optional().describe("Why the place is not counted."),
  reviewed: review.optional(),
});
export type UnsureFile = z.infer<typeof unsureFile>;

/** For how many days a scan is evidence, where the inventory has no other number. */
export const usualScanDays = 14;

/** A folder that was scanned: without files that were read, a scan says nothing. */
const scannedFolder = z.strictObject({
  name: z.string().max(4_096).describe("Relative to the inventory; empty for its own folder."),
  files: z.int().nonnegative().describe("How many files of it were read."),
  scannedOn: day,
  skipped: z
    .array(z.string().max(4_096))
    .optional()
    .describe("Folders in it that were left out by their name, although git tracks files in them."),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional()
    .describe("The commit that git had there, shown only: what was read may differ from it."),
  digest: z
    .string()
    .max(200)
    .describe("Of the paths and contents that were read: `ready` compares it where the folder is there."),
});
export type ScannedFolder = z.infer<typeof scannedFolder>;

const fieldPaths = [...new Set(endpointIds.flatMap((id) => fields[id].map(({ path }) => path)))].filter(
  (path) => path !== "",
);

export const inventoryUse = z.strictObject({
  /** File, endpoint and enclosing function: `src/client.ts passport getScore`. */
  id: z.string().max(8_000),
  file: z.string().max(4_096),
  line,
  language: z
    .string()
    .max(255)
    .describe(
      "A language that the scan parses (javascript, python, go, template), or the file extension of one that it reads as text: the fields are then a lower bound, and hazards were not looked for.",
    ),
  endpoint: z.enum(endpointIds),
  confidence,
  why: z.string().max(4_300).optional().describe("Why the scan takes it for a use of V1."),
  package: z.string().max(300).describe("The app or package that the file belongs to."),
  codeOwners: z.array(z.string().max(200)).describe("From CODEOWNERS."),
  calls: z.array(line).describe("Lines that call V1."),
  fields: z.array(inventoryField),
  hazards: z.array(z.strictObject({ rule: z.string().max(40), line, confidence: confidence.optional() })),
  passedOn: z
    .array(z.string().max(4_200))
    .optional()
    .describe(
      "Where a whole response, or a whole record of it, goes to code that the scan does not see, such as a library or a client of this server: `src/route.ts:12`. All fields of the endpoint count as used.",
    ),
  firstSeen: day,
  /** The day of the first scan that no longer found the use. */
  gone: day.optional(),
  owner: text.optional().describe("The team that migrates this use. Edited by hand; scans keep it."),
  status: z
    .enum(useStatuses)
    .describe(
      "v1: V1 only. dual: both versions. v2: migrated, which is contradicted by a call that the scan still finds. Edited by hand.",
    ),
  exception: useException
    .optional()
    .describe("Allows the use to stay on V1 until a given day. Edited by hand."),
  checkedFields: z
    .array(z.enum(fieldPaths))
    .min(1)
    .optional()
    .describe(
      "The fields that are read, as somebody has checked: in a file that is read as text, of a response that is passed on, or of a call without a field. Without it, all fields of the endpoint count as used there. Edited by hand; scans keep it.",
    ),
  reviewed: review.optional().describe("Of a use at low confidence: as in `unsure`."),
  note: text.optional().describe("Free text. Edited by hand."),
});
export type InventoryUse = z.infer<typeof inventoryUse>;

/** Marked as migrated, although the latest scan of its folder found that it calls V1. */
export const isContradicted = ({
  gone,
  status,
  confidence: sure,
  calls,
}: Pick<InventoryUse, "gone" | "status" | "confidence" | "calls">): boolean =>
  gone === undefined && status === "v2" && sure !== "low" && calls.length > 0;

/** What is left to migrate: neither gone from the code nor migrated. */
export const isRemaining = (use: Pick<InventoryUse, "gone" | "status" | "confidence" | "calls">): boolean =>
  use.gone === undefined && (use.status !== "v2" || isContradicted(use));

const parsedLanguages: ReadonlySet<string> = new Set(["javascript", "python", "go", "template"]);

/** Whether the scan only searched the file for V1's names: there may be more fields, and hazards were not looked for. */
export const isReadAsText = ({ language }: Pick<InventoryUse, "language">): boolean =>
  !parsedLanguages.has(language);

export const inventory = z
  .strictObject({
    $schema: z.string().max(300).optional().describe("For editors."),
    schema: z
      .literal(["v1watch/inventory/1", "v1watch/inventory/2"])
      .describe("1 does not say what was read: it is no evidence that V1 is not used. A scan writes 2."),
    scannedOn: day,
    maxAgeDays: z
      .int()
      .min(1)
      .max(366)
      .optional()
      .describe(
        `For how many days a scan is evidence; ${usualScanDays} without it. Edited by hand; scans keep it.`,
      ),
    folders: z.array(scannedFolder).default([]).describe("What was read."),
    uses: z.array(inventoryUse),
    addresses: z
      .array(z.strictObject({ file: z.string().max(4_096), line }))
      .optional()
      .describe("Lines of configuration with the base address of V1: lines to change."),
    unsure: z.array(unsureFile).default([]).describe("What the scan could not be sure about."),
  })
  .meta({ title: "v1watch.inventory.json" });
export type Inventory = z.infer<typeof inventory>;

/** A place in the team's own code that depends on V1, as an alert names it. */
export type CodeUse = Pick<InventoryUse, "file" | "line" | "endpoint" | "fields"> & {
  /** The line where a failing V1 would look like 0, an empty value or a wrong sum. */
  hazardLine?: number | undefined;
};

/** What still reads V1. An alert names only what was followed from a call. */
export const listCodeUses = ({ uses }: Pick<Inventory, "uses">): CodeUse[] =>
  uses
    .filter((use) => isRemaining(use) && use.confidence === "high")
    .map(({ file, line, calls, endpoint, fields, hazards }) => {
      const isFollowed = (finding: { confidence?: Confidence | undefined }) =>
        (finding.confidence ?? "high") === "high";
      return {
        file,
        line: calls[0] ?? line,
        endpoint,
        fields: fields.filter(isFollowed),
        hazardLine: hazards.find((hazard) => hazard.rule.endsWith("-default") && isFollowed(hazard))?.line,
      };
    });

/** The JSON Schema for editors. */
export const inventoryJsonSchema = () => z.toJSONSchema(inventory, { io: "input" });
