// A made-up row of the endpoint table, with a parameter, a container and fields that no other endpoint has.
import * as z from "zod";

export const badges = {
  id: "passport-badges",
  role: "sublist",
  section: "4.9",
  title: "Get the badges of a passport",
  nouns: { one: "badge", many: "badges" },
  method: "GET",
  path: "/api/v1/badges",
  parameters: [
    { name: "of", in: "query", type: "string", required: true, meaning: "a passport", isSample: true },
  ],
  rareVariants: ["unknown-id"],
  body: z
    .object({
      badges: z.array(
        z.object({
          id: z.string(),
          colour: z.string(),
          last_calculated_at: z.iso.datetime({ offset: true }),
        }),
      ),
    })
    .meta({ id: "BadgesBody" }),
  records: "badges[]",
  recordId: "badges[].id",
  timestamps: ["badges[].last_calculated_at"],
  values: [],
} as const;
