// A 200 that only looks alive: an expired version that answers as the next one, a stub of zeros, an
// empty list. Consumers show "score 0" for weeks before somebody asks.
import type { Notices } from "../../../../lib/records/observation.ts";
import { numberSlots, slots, type Tally } from "./tally.ts";

/** Names seen at the root or in the records of the next version (public material, unverified). */
const v2Names: ReadonlySet<string> = new Set([
  "profile",
  "profiles",
  "accounts",
  "socials",
  "credentials",
  "points",
  "slug",
  "data_issuer_slug",
]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function hasV2Shape(body: unknown, container: string): boolean {
  if (!isRecord(body)) return false;
  if (!Object.hasOwn(body, container)) {
    return Object.keys(body).some((key) => v2Names.has(key) || (key === "score" && isRecord(body[key])));
  }
  const records = body[container];
  const first = Array.isArray(records) ? records[0] : records;
  return isRecord(first) && Object.hasOwn(first, "points") && Object.hasOwn(first, "slug");
}

function hasOnlyZeros({ shape, counts, numbersAt }: Tally): boolean {
  let zeros = 0;
  for (const { index } of shape.numeric) {
    const at = numbersAt[index]!;
    if (counts[at + numberSlots.negative]! > 0) return false;
    for (let slot: number = numberSlots.decades; slot < numberSlots.decimals; slot++) {
      if (counts[at + slot]! > 0) return false;
    }
    zeros += counts[at + numberSlots.zero]!;
  }
  return zeros > 0;
}

export function recogniseFakeOk(tally: Tally, body: unknown): Notices["body"] {
  const { container } = tally.shape;
  if (hasV2Shape(body, container.name)) return "v2-shaped";
  if (hasOnlyZeros(tally)) return "stub-data";
  if (container.type !== "array" || tally.counts[container.index * slots.size + slots.visited]! > 0)
    return undefined;
  return isRecord(body) && Array.isArray(body[container.name]) ? "empty" : undefined;
}
