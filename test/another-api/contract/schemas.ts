// The bodies of the made-up Harbour API: a list at the root, one record at the root, ids that are texts, a field that may be left
// out and one that may be null.
import * as z from "zod";

const berthFields = {
  code: z.string(),
  harbour_name: z.string(),
  draught_cm: z.number().meta({ "x-gap": "draught" }),
  vessels_moored: z.int(),
  surveyed_at: z.iso.datetime({ offset: true }),
  is_tidal: z.boolean(),
  /** The document allows it to be left out. */
  pilot_channel: z.string().optional(),
  /** The document allows null. */
  closed_since: z.string().nullable(),
};

export const listedBerth = z.object(berthFields).meta({ id: "ListedBerth", "x-section": "2.1" });
export const berth = z
  .object({ ...berthFields, bollards: z.array(z.object({ side: z.string(), rated_kn: z.number() })) })
  .meta({ id: "Berth", "x-section": "2.2" });
export const berthList = z.array(listedBerth).meta({ id: "BerthList", "x-section": "3.1" });
