// A 200 without V1's data: the body of V2, a stub in which every score is 0, or an empty list.
import type { EndpointId } from "../../contract/endpoints.ts";
import { evidenceKindOf, fields } from "../../contract/fields.ts";
import type { Notices } from "../../records/observation.ts";
import { containerOf, type FieldValues, isJsonObject, isList } from "./field-values.ts";

/** Keys of V2 at the root of a body or in its records, from public material and not verified. */
const v2Keys: ReadonlySet<string> = new Set([
  "profile",
  "profiles",
  "accounts",
  "socials",
  "credentials",
  "points",
  "slug",
  "data_issuer_slug",
]);

export function detectFakeOk(endpoint: EndpointId, body: unknown, values: FieldValues): Notices["body"] {
  if (!isJsonObject(body)) return undefined;
  const container = containerOf(endpoint);
  const held = body[container];
  const [firstRecord] = Array.isArray(held) ? held : [held];
  const isV2 = Object.hasOwn(body, container)
    ? isJsonObject(firstRecord) && Object.hasOwn(firstRecord, "points") && Object.hasOwn(firstRecord, "slug")
    : Object.keys(body).some((key) => v2Keys.has(key) || (key === "score" && isJsonObject(body[key])));
  if (isV2) return "v2-shaped";
  if (hasOnlyZeroScores(endpoint, values)) return "stub-data";
  return isList(endpoint) && Array.isArray(held) && held.length === 0 ? "empty" : undefined;
}

/** Whether there are scores, and all of them are 0. */
function hasOnlyZeroScores(endpoint: EndpointId, values: FieldValues): boolean {
  const scores = fields[endpoint]
    .filter((field) => evidenceKindOf(field) === "numbers")
    .map(({ path }) => values.get(path)!);
  const isNotZero = (score: unknown) => Number.isFinite(score) && score !== 0;
  return !scores.some((ofField) => ofField.some(isNotZero)) && scores.some((ofField) => ofField.includes(0));
}
