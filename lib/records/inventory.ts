// v1watch.inventory.json: the places in the code that use V1. The scan writes what it finds. The fields
// owner, status, exception and note are edited by people, and every scan keeps them.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";

const day = z.iso.date();
const line = z.int().nonnegative();
const text = z.string().max(300);

export const useStatuses = ["v1", "dual", "v2"] as const;
export type UseStatus = (typeof useStatuses)[number];

/** A temporary exemption of a use, and its reason. */
export const useException = z.strictObject({
  reason: text.min(1).describe("Why this use is exempt for now."),
  expires: day.describe("The last day on which the exemption is valid."),
  approvedBy: text.optional(),
});

export const inventoryUse = z.strictObject({
  /** File, endpoint and enclosing function: `src/client.ts passport getScore`. */
  id: z.string().max(8_000),
  /** 4,096 characters is the longest path on Linux. */
  file: z.string().max(4_096),
  line,
  /** A supported language, or the file name's extension. */
  language: z.string().max(255),
  endpoint: z.enum(endpointIds),
  confidence: z.enum(["high", "medium", "low"]),
  /** Contract paths, such as `passport.score`. The path of an object includes all fields in it. */
  fields: z.array(z.string().max(200)),
  hazards: z.array(z.strictObject({ rule: z.string().max(40), line })),
  firstSeen: day,
  /** The day of the first scan that no longer found it. */
  gone: day.optional(),
  owner: text.optional().describe("The team that migrates this use. Edited by hand; every scan keeps it."),
  status: z.enum(useStatuses).describe("v1: only V1. dual: V1 and V2. v2: migrated. Edited by hand."),
  exception: useException.optional().describe("A temporary exemption with an expiry date. Edited by hand."),
  note: text.optional().describe("A free-text note. Edited by hand."),
});
export type InventoryUse = z.infer<typeof inventoryUse>;

export const inventory = z
  .strictObject({
    $schema: z.string().max(300).optional().describe("For editors."),
    schema: z.literal("v1watch/inventory/1"),
    scannedOn: day,
    uses: z.array(inventoryUse),
  })
  .meta({ title: "v1watch.inventory.json" });
export type Inventory = z.infer<typeof inventory>;

/** The JSON Schema for editors, which complete values and show which fields people edit. */
export const inventoryJsonSchema = () => z.toJSONSchema(inventory, { io: "input" });
