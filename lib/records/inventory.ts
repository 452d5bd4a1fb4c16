// v1watch.inventory.json: who uses V1, found by the scan and kept by hand. The scan writes what it finds;
// owner, status, exception and note are a person's and survive every scan.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";

const day = z.iso.date();
const line = z.int().nonnegative();
const text = z.string().max(300);

export const useStatuses = ["v1", "dual", "v2"] as const;
export type UseStatus = (typeof useStatuses)[number];

/** A use that may stay for a while, and why. */
export const useException = z.strictObject({
  reason: text.min(1).describe("Why it may stay for a while."),
  expires: day.describe("The last day on which it holds."),
  approvedBy: text.optional(),
});

export const inventoryUse = z.strictObject({
  /** File, endpoint and enclosing function: `src/client.ts passport getScore`. */
  id: z.string().max(8_000),
  /** As long as a path may be. */
  file: z.string().max(4_096),
  line,
  /** One of ours, or the file's ending. */
  language: z.string().max(255),
  endpoint: z.enum(endpointIds),
  confidence: z.enum(["high", "medium", "low"]),
  /** Contract paths, such as `passport.score`; an object's path stands for all that is in it. */
  fields: z.array(z.string().max(200)),
  hazards: z.array(z.strictObject({ rule: z.string().max(40), line })),
  firstSeen: day,
  /** The day of the first scan that no longer found it. */
  gone: day.optional(),
  owner: text.optional().describe("The team that moves it. Yours to write; every scan keeps it."),
  status: z.enum(useStatuses).describe("v1: V1 alone. dual: both. v2: moved. Yours to write."),
  exception: useException.optional().describe("It may stay until a day. Yours to write."),
  note: text.optional().describe("Yours to write."),
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

/** For editors, which then complete statuses and know which parts are a person's. */
export const inventoryJsonSchema = () => z.toJSONSchema(inventory, { io: "input" });
