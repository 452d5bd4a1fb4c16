// A finding in words: what differs, and what it means for code that reads V1; and the team's code that a fault affects.

import { api } from "../../contract/endpoints.ts";
import { type Facts, ownRules } from "../../records/incident.ts";
import type { CodeUse } from "../../records/inventory.ts";
import type { Finding } from "../../records/observation.ts";
import { formatCount } from "../../text.ts";
import { zeros } from "./text.ts";

/** A difference: of a finding, or of the facts that are made of it. */
type Difference = { kind: Finding["kind"] | string; expected: string; observed: string };

const afterRetype: Record<string, string> = {
  "string number": "code that concatenates or compares these as strings breaks",
  "string boolean": "code that shows or compares these as text breaks",
  "string object": "code that prints this shows [object Object]",
  "string array": "code that reads one text meets a list",
  "number string": "sums become concatenations, and strings compare lexicographically",
  "integer string": "look-ups by number miss, and sums become concatenations",
  "boolean string": 'the text "false" counts as true',
  "boolean number": "strict comparisons with true and false fail",
  "array object": "loops over this fail",
  "object array": "reads of its fields give undefined",
  "date-time number": "date parsers take seconds for milliseconds, or fail",
};

export function describeImpact({ kind, expected, observed }: Difference): string {
  switch (kind) {
    case "missing":
      return "code that reads it gets undefined, and often shows 0 or nothing";
    case "retyped":
      return afterRetype[`${expected} ${observed}`] ?? `code written for ${expected} meets ${observed}`;
    case "envelope":
      return "nothing in the response is where clients look for it";
    case "format":
      return expected === "date-time"
        ? "date parsers disagree on it, by hours or by failing"
        : observed === "non-finite"
          ? "parsers read it as Infinity, or fail"
          : "parsers round it";
    case "non-integer":
      return "code that uses it as a whole number rounds, truncates or fails";
    case "content-type":
      return "clients that look at the content type do not parse it";
    case "order":
      return "whoever takes the first entries for the best gets others";
    case "filter":
      return "searches show people who were not asked for";
    case "pagination":
      return "clients that page through the list may miss records, or read some twice";
    case "disagreement":
      return `the list and the single ${api.sample.nouns.one} tell different things`;
    case "left-out":
      return "v1watch cannot store it; the rest of the check is kept";
    case "extra":
      return "harmless, unless a client refuses what it does not know";
    case "null":
      return "the document does not say whether it may be null";
    case "new-value":
      return "the document does not list the allowed values; code that switches on it needs a default";
    default:
      return "clients may fail on it";
  }
}

/** By what the probe calls them. */
const paginationWords: Readonly<Record<string, string>> = {
  "more records than the total": "more rows than `total` allows (are there duplicates?)",
};

/** What differs, in a few words: `string → number`. The only description of a finding. */
export function describeFinding({ kind, expected, observed }: Difference): string {
  switch (kind) {
    case "missing":
      return "missing";
    case "extra":
      return `not in the document (${observed})`;
    case "null":
      return "null";
    case "new-value":
      return "values that the document does not list";
    case "left-out":
      return "a value that cannot be stored";
    case "order":
      return "not in the documented order";
    case "filter":
      return "names without the keyword";
    case "disagreement":
      return `the list and the single ${api.sample.nouns.one} differ`;
    case "pagination":
      return paginationWords[observed] ?? observed;
    case "format":
      return observed === "non-finite" ? "a number too large to represent" : `${expected} → ${observed}`;
    case "retyped":
    case "envelope":
    case "content-type":
      return `${expected} → ${observed}`;
    case "non-integer":
      return "integer → fraction";
    default:
      return `${kind}: ${observed}`;
  }
}

const maxPlaces = 4;

/** `api/score.ts:41, jobs/sync.py:88 and 3 more`. A file name may have line breaks and control codes. */
function placesText(places: readonly string[]): string {
  const each = [...new Set(places)].map((place) =>
    place.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "?"),
  );
  const rest = each.length - maxPlaces;
  return `${each.slice(0, maxPlaces).join(", ")}${rest > 0 ? ` and ${formatCount(rest)} more` : ""}`;
}

const isWithin = (path: string, outer: string) =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
/** An object's path includes everything in it, for the code as for the change. */
const findReads = ({ file, fields }: CodeUse, paths: readonly string[]): string[] =>
  fields
    .filter((field) => paths.some((path) => isWithin(path, field.path) || isWithin(field.path, path)))
    .map(({ line }) => `${file}:${line}`);

/** The impact of a rule, with files and lines of the inventory where there is one. */
export function nameAffectedCode(impact: string, facts: Facts, uses: readonly CodeUse[] | undefined): string {
  if (uses === undefined || ownRules.has(facts.rule)) return impact;
  const hidden = uses.flatMap(({ endpoint, file, hazardLine }) =>
    hazardLine !== undefined && facts.endpoints.includes(endpoint) ? [`${file}:${hazardLine}`] : [],
  );
  const whole =
    impact.endsWith(zeros) && hidden.length > 0 ? `${impact.slice(0, -1)}: ${placesText(hidden)}.` : impact;
  return `${whole}\n${describeReaders(facts, uses)}`;
}

function describeReaders(facts: Facts, uses: readonly CodeUse[]): string {
  const callers = uses.filter(({ endpoint }) => facts.endpoints.includes(endpoint));
  if (callers.length === 0) return "The inventory lists no code that calls these endpoints.";
  const place = ({ file, line }: CodeUse) => `${file}:${line}`;
  if (facts.findings) {
    const paths = facts.findings.map(({ path }) => path);
    const readers = callers.flatMap((use) => findReads(use, paths));
    return readers.length === 0
      ? "The inventory lists no code that reads these fields."
      : `Our code that reads these fields: ${placesText(readers)}.`;
  }
  return `Our code that calls these endpoints: ${placesText(callers.map(place))}.`;
}
