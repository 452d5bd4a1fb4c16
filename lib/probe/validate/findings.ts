// Findings: one difference between a response and V1's document. Findings are about structure: a field
// renamed in 1,000 records is two findings, and their ids do not depend on the order or number of records.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Finding, FindingKind, Level } from "../../records/observation.ts";

export const levelOf: Record<FindingKind, Level> = {
  missing: "breaking",
  retyped: "breaking",
  envelope: "breaking",
  format: "breaking",
  "non-integer": "breaking",
  "content-type": "breaking",
  order: "breaking",
  filter: "breaking",
  pagination: "breaking",
  extra: "additive",
  null: "notice",
  "duplicate-key": "notice",
  "new-value": "notice",
  // A score may be recalculated between two requests.
  disagreement: "notice",
  "left-out": "notice",
};

/** Kinds whose id ends with what was observed, because each wrong type or format is its own finding. */
const kindsWithObserved: ReadonlySet<FindingKind> = new Set(["retyped", "extra", "format", "envelope"]);

export function createFinding(endpoint: EndpointId, about: Omit<Finding, "id" | "level">): Finding {
  const { path, kind, expected, observed, count, of } = about;
  const id = `${endpoint} ${path} ${kind}`;
  return {
    id: kindsWithObserved.has(kind) ? `${id} ${observed}` : id,
    path,
    kind,
    expected,
    observed,
    count,
    of,
    level: levelOf[kind],
  };
}

const rank: Record<Level, number> = { breaking: 0, additive: 1, notice: 2 };

/** The most severe level first, then by id: the same findings always come in the same order. */
export const sortFindings = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => rank[a.level] - rank[b.level] || (a.id < b.id ? -1 : 1));
