// The team's own database: its rows may be called as V1's fields are, and are the team's all the same.
import type { Frame } from "./scan-frame.ts";
import { calleeName, rootName } from "./scan-hazards.ts";
import type { Request } from "./scan-requests.ts";
import { dereference, ofKind } from "./scan-values.ts";

const statement = /^\s*(select\b.*\bfrom|insert\s+into|update\b.*\bset|delete\s+from|with\b.*\bas\s*\()/is;

/** Mappers' own words, which nobody else uses. */
const finds =
  /^(find(Many|Unique|First|UniqueOrThrow|FirstOrThrow|OneBy|OneByOrFail|ByPk|AndCount\w*|OneAnd\w+|ByIdAnd\w+)|createMany|updateMany|selectFrom|\$queryRaw\w*|getRepository)$/;
const databases =
  /^(prisma|db|database|knex|mongoose|supabase|sequelize|orm|drizzle|pool|sql|mongo\w*|kysely)$/i;
const queries =
  /^(query|execute|select|from|find|findOne|findAll|findById|collection|table|insert\w*|update|upsert|create|raw|where|aggregate|one|oneOrNone|many|any)$/;

/** A query, by its text or by the words of a mapper. */
export function asksDatabase({ callee, receiver = [], positional }: Request, { module }: Frame): boolean {
  if (module.language !== "javascript") return false;
  const given = positional.flatMap((value) => [...dereference(value)]);
  const inside = ofKind(given, "object").flatMap(({ fields }) =>
    ["text", "sql"].flatMap((key) => [...(fields.get(key)?.value ?? [])]),
  );
  if (ofKind([...given, ...inside], "text").some(({ text }) => statement.test(text))) return true;
  if (callee.kind !== "member" || receiver.length > 0) return false;
  const name = calleeName(callee);
  return finds.test(name) || (databases.test(rootName(callee)) && queries.test(name));
}
