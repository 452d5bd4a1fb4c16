// What V1's document says beyond types: the list is sorted, the keyword filters by name, the pagination adds up, and a
// record is the same in the list and in its own response.
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { holderOf } from "../../contract/fields.ts";
import type { Finding } from "../../records/observation.ts";
import { heldIn, isJsonObject, type JsonObject, nameInRecord, valueAt } from "./field-values.ts";
import { createFinding } from "./findings.ts";

export type Order = {
  direction: "ascending" | "descending" | "flat" | "unsorted" | "unknown";
  finding?: Finding;
};

/** The document names the sort field but not the direction, so only a list sorted in neither is a finding. */
export function checkOrder(endpoint: EndpointId, records: readonly JsonObject[]): Order {
  const { sortedBy } = endpoints[endpoint];
  if (sortedBy === undefined) return { direction: "unknown" };
  const field = nameInRecord(endpoint, sortedBy);
  let rises = 0;
  let falls = 0;
  let compared = 0;
  let previous: number | undefined;
  for (const { [field]: value } of records) {
    if (typeof value !== "number") continue;
    if (previous !== undefined) {
      compared++;
      if (value > previous) rises++;
      else if (value < previous) falls++;
    }
    previous = value;
  }
  if (compared === 0) return { direction: "unknown" };
  if (rises > 0 && falls > 0) {
    return {
      direction: "unsorted",
      finding: createFinding(endpoint, {
        path: sortedBy,
        kind: "order",
        expected: "sorted",
        observed: "unsorted",
        count: Math.min(rises, falls),
        of: compared,
      }),
    };
  }
  return { direction: rises > 0 ? "ascending" : falls > 0 ? "descending" : "flat" };
}

export function checkKeyword(
  endpoint: EndpointId,
  records: readonly JsonObject[],
  keyword: string,
): Finding | undefined {
  const path = endpoints[endpoint].parameters.find(({ filters }) => filters)?.filters;
  if (path === undefined) return undefined;
  const field = nameInRecord(endpoint, path);
  const wanted = keyword.toLowerCase();
  let named = 0;
  let others = 0;
  for (const record of records) {
    const name = valueAt(record, field);
    if (typeof name !== "string") continue;
    named++;
    if (!name.toLowerCase().includes(wanted)) others++;
  }
  if (others === 0) return undefined;
  return createFinding(endpoint, {
    path,
    kind: "filter",
    expected: "names with the keyword",
    observed: "other names",
    count: others,
    of: named,
  });
}

/** What a list says about its pages, whatever the types; undefined where its body holds no such thing. */
export function paginationOf(
  endpoint: EndpointId,
  body: unknown,
): { currentPage: unknown; lastPage: unknown; total: unknown } | undefined {
  const { pagination } = endpoints[endpoint];
  if (!pagination || !isJsonObject(valueAt(body, holderOf(pagination.total)))) return undefined;
  return {
    currentPage: valueAt(body, pagination.currentPage),
    lastPage: valueAt(body, pagination.lastPage),
    total: valueAt(body, pagination.total),
  };
}

export function checkPagination(endpoint: EndpointId, body: unknown): Finding | undefined {
  const pagination = paginationOf(endpoint, body);
  // A missing list is a finding of its own.
  const held = heldIn(endpoint, body);
  if (!pagination || !Array.isArray(held)) return undefined;
  const { currentPage: current, lastPage: last, total } = pagination;
  if (!Number.isSafeInteger(current) || !Number.isSafeInteger(last) || !Number.isSafeInteger(total)) {
    return undefined; // Wrong types are findings of their own.
  }
  const records = held.length;
  const problem = describePagination(current as number, last as number, total as number, records);
  return problem === undefined
    ? undefined
    : createFinding(endpoint, {
        path: holderOf(endpoints[endpoint].pagination!.total),
        kind: "pagination",
        expected: "numbers that add up",
        observed: problem,
        count: 1,
        of: 1,
      });
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
  if (current < last && Math.ceil(total / records) !== last) return "a last page that contradicts the total";
  if (current === last && current === 1 && total !== records) return "a total that differs from the records";
  return undefined;
}

/** A form in which equal values are equal strings or primitives; undefined where they cannot be compared. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === "string") ? value.toSorted().join(" ") : undefined;
  }
  return typeof value === "object" ? undefined : value;
}

/** Compares in memory only: a finding names the field that differs, never its values. */
export function checkAgreement(endpoint: EndpointId, body: unknown, listed: JsonObject): Finding[] {
  const single = heldIn(endpoint, body);
  if (!isJsonObject(single)) return [];
  const { constants = [], values, timestamps } = endpoints[endpoint];
  const isSame = (path: string) => {
    const field = nameInRecord(endpoint, path);
    return valueAt(single, field) === valueAt(listed, field);
  };
  const paths = timestamps.every(isSame) ? [...constants, ...values] : constants;
  return paths
    .filter((path) => {
      const field = nameInRecord(endpoint, path);
      const [inSingle, inList] = [comparable(valueAt(single, field)), comparable(valueAt(listed, field))];
      // A wrong type or a missing field is a finding of its own.
      return typeof inSingle === typeof inList && inSingle !== inList;
    })
    .map((path) =>
      createFinding(endpoint, {
        path,
        kind: "disagreement",
        expected: "as in the list",
        observed: "other",
        count: 1,
        of: 1,
      }),
    );
}
