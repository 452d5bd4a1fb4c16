// The settings by which a watch assesses, as they are stored beside what it decided.
import * as z from "zod";
import { maintenanceWindow } from "./maintenance.ts";

export const storedSettings = z.strictObject({
  baseUrl: z.string(),
  runbookUrl: z.string().optional(),
  publicUrl: z.string().optional(),
  maintenance: z.array(maintenanceWindow).optional(),
  retirementDate: z.string().optional(),
  frozenAfterMs: z.number().optional(),
  pageAfterMs: z.number().optional(),
  hour: z.number().optional(),
  timeZone: z.string().optional(),
  monthlyRequests: z.number(),
  silentAfterMs: z.number(),
  /** The variable and the source of the key, by their names. */
  keyVariable: z.string().optional(),
  keySource: z.string().optional(),
  /** How often each endpoint is checked, and by how much a check may be late. Those of the first release have neither. */
  cadenceMs: z.number().optional(),
  lateMs: z.number().optional(),
});
export type StoredSettings = z.infer<typeof storedSettings>;
