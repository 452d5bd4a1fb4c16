// A 200 that only looks alive: an expired version that answers as the next one, a stub of zeros, an
// empty list. Consumers show "score 0" for weeks before somebody asks.
import type { Notices } from "../records/observation.ts";
import { slots, type Tally } from "./tally.ts";

/** Names seen at the root or in the records of the next version (public material, unverified). */
const laterNames: ReadonlySet<string> = new Set([
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

function hasLaterShape(body: unknown, container: string): boolean {
  if (!isRecord(body)) return false;
  if (!Object.hasOwn(body, container)) {
    return Object.keys(body).some((key) => laterNames.has(key) || (key === "score" && isRecord(body[key])));
  }
  const records = body[container];
  const first = Array.isArray(records) ? records[0] : records;
  return isRecord(first) && Object.hasOwn(first, "points") && Object.hasOwn(first, "slug");
}

const add = (sum: number, count: number) => sum + count;

function hasOnlyZeros(tally: Tally): boolean {
  let zeros = 0;
  let others = 0;
  for (const numbers of tally.numbers) {
    if (!numbers) continue;
    zeros += numbers.zero;
    others += numbers.negative + numbers.byDecade.reduce(add, 0);
  }
  return zeros > 0 && others === 0;
}

export function recogniseSilentDeath(tally: Tally, body: unknown): Notices["body"] {
  const { container } = tally.shape;
  if (hasLaterShape(body, container.name)) return "v2-shaped";
  if (hasOnlyZeros(tally)) return "zero-stub";
  if (container.type !== "array" || tally.counts[container.index * slots.size + slots.visited]! > 0)
    return undefined;
  return isRecord(body) && Array.isArray(body[container.name]) ? "empty" : undefined;
}
