// What V1's document promises beyond types: a list sorted by score, a keyword that filters by name,
// pagination that adds up, and one passport that is the same in the list and alone.
import { endpoints } from "../../contract/endpoints.ts";
import type { ListedPassport } from "../../contract/schemas.ts";
import type { Finding } from "../../records/observation.ts";
import { createFinding } from "./drift.ts";

type Unknown = Record<string, unknown>;

const isRecord = (value: unknown): value is Unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The records of a list body; nothing where the body is not what it should be. */
export function recordsOf(body: unknown, container: string): Unknown[] {
  const list = isRecord(body) ? body[container] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

export type Order = {
  direction: "ascending" | "descending" | "flat" | "unsorted" | "unknown";
  finding?: Finding;
};

/** The document names the sort field and not its direction, so only neither direction is a finding. */
export function checkOrder(passports: readonly Unknown[]): Order {
  let rises = 0;
  let falls = 0;
  let compared = 0;
  let previous: number | undefined;
  for (const { score } of passports) {
    if (typeof score !== "number") continue;
    if (previous !== undefined) {
      compared++;
      if (score > previous) rises++;
      else if (score < previous) falls++;
    }
    previous = score;
  }
  if (compared === 0) return { direction: "unknown" };
  if (rises > 0 && falls > 0) {
    const path = endpoints["passport-list"].sortedBy!;
    const broken = Math.min(rises, falls);
    return {
      direction: "unsorted",
      finding: createFinding("passport-list", path, "order", "sorted", "unsorted", broken, compared),
    };
  }
  return { direction: rises > 0 ? "ascending" : falls > 0 ? "descending" : "flat" };
}

export function checkKeyword(passports: readonly Unknown[], keyword: string): Finding | undefined {
  const wanted = keyword.toLowerCase();
  let named = 0;
  let others = 0;
  for (const { passport_profile: profile } of passports) {
    const name = isRecord(profile) ? profile.display_name : undefined;
    if (typeof name !== "string") continue;
    named++;
    if (!name.toLowerCase().includes(wanted)) others++;
  }
  if (others === 0) return undefined;
  const path = "passports[].passport_profile.display_name";
  return createFinding(
    "passport-list",
    path,
    "filter",
    "names with the keyword",
    "other names",
    others,
    named,
  );
}

export const paginationOf = (body: unknown): Unknown | undefined =>
  isRecord(body) && isRecord(body.pagination) ? body.pagination : undefined;

export function checkPagination(body: unknown): Finding | undefined {
  const pagination = paginationOf(body);
  // Without a list there is nothing to add up; that is already a finding.
  if (!pagination || !isRecord(body) || !Array.isArray(body.passports)) return undefined;
  const { current_page: current, last_page: last, total } = pagination;
  if (!Number.isSafeInteger(current) || !Number.isSafeInteger(last) || !Number.isSafeInteger(total)) {
    return undefined; // Its types are already findings.
  }
  const records = body.passports.length;
  const problem = describePagination(current as number, last as number, total as number, records);
  return problem === undefined
    ? undefined
    : createFinding("passport-list", "pagination", "pagination", "numbers that add up", problem, 1, 1);
}

function describePagination(
  current: number,
  last: number,
  total: number,
  records: number,
): string | undefined {
  if (current < 1 || last < 0 || total < 0) return "a negative or zero number";
  if (records > total) return "more records than the total";
  if (records === 0) return current <= last && total > 0 ? "an empty page before the last" : undefined;
  if (current > last) return "records past the last page";
  if (current < last && Math.ceil(total / records) !== last) return "a last page that does not follow";
  if (current === last && current === 1 && total !== records) return "a total that is not the records";
  return undefined;
}

/** A list of texts in any order, or a plain value; undefined where comparing would say nothing. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === "string") ? value.toSorted().join(" ") : undefined;
  }
  return typeof value === "object" ? undefined : value;
}

/** Fields that do not move between two calls, and those that move only with last_calculated_at. */
const steady = ["passport_id", "main_wallet", "human_checkmark", "verified_wallets"] as const;
const calculated = ["score", "activity_score", "identity_score", "skills_score"] as const;

/** Compares in memory only; a finding says which field disagrees, never how. */
export function checkAgreement(body: unknown, listed: Unknown): Finding[] {
  const single = isRecord(body) && isRecord(body.passport) ? body.passport : undefined;
  if (!single) return [];
  const isSameCalculation = single.last_calculated_at === listed.last_calculated_at;
  const fields: (keyof ListedPassport)[] = [...steady, ...(isSameCalculation ? calculated : [])];
  return fields
    .filter((field) => {
      const [here, there] = [comparable(single[field]), comparable(listed[field])];
      // Another type or a missing field is already a finding.
      return typeof here === typeof there && here !== there;
    })
    .map((field) =>
      createFinding("passport", `passport.${field}`, "disagreement", "as in the list", "other", 1, 1),
    );
}
