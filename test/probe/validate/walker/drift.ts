// Where a body leaves the contract. Findings are about structure: a field renamed in 1,000 rows is
// two findings, and their ids do not depend on the order or the number of rows.
import type { EndpointId } from "../../../../lib/contract/endpoints.ts";
import type { Finding, FindingKind, Level } from "../../../../lib/records/observation.ts";
import type { BoundedCount } from "./bounded-count.ts";
import type { Shape, ShapeNode } from "./shape.ts";
import { jsonTypes, slots, type Tally } from "./tally.ts";

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
  "new-value": "notice",
  // A score may be recalculated between two calls, and parsers differ on repeated keys: look, don't page.
  disagreement: "notice",
  "duplicate-key": "notice",
};

/** Kinds whose id ends with what was seen, because each way of being wrong is its own finding. */
const idNamesObserved: ReadonlySet<FindingKind> = new Set(["retyped", "extra", "format", "envelope"]);

export function createFinding(
  endpoint: EndpointId,
  path: string,
  kind: FindingKind,
  expected: string,
  observed: string,
  count: number,
  of: number,
): Finding {
  const id = `${endpoint} ${path} ${kind}`;
  return {
    id: idNamesObserved.has(kind) ? `${id} ${observed}` : id,
    path,
    kind,
    expected,
    observed,
    count,
    of,
    level: levelOf[kind],
  };
}

/** How often a node could have been there: its parent's objects or elements. */
export function chancesOf(node: ShapeNode, tally: Tally): number {
  return node.parent ? tally.counts[node.parent.index * slots.size + slots.visited]! : 1;
}

/** Findings of documented fields, made once for each slot: only their counts differ between bodies. */
const templates = new WeakMap<Shape, Finding[]>();

function templatesOf(shape: Shape): Finding[] {
  const known = templates.get(shape);
  if (known) return known;
  const made = shape.nodes.flatMap((node) =>
    Array.from({ length: slots.size }, (_, slot) => {
      const make = (kind: FindingKind, observed: string) =>
        createFinding(shape.endpoint, node.path, kind, node.type, observed, 0, 0);
      const type = jsonTypes[slot - slots.wrong] ?? "missing";
      if (slot === slots.nonInteger) return make("non-integer", "number");
      if (node.isEnvelope) return make("envelope", type);
      return make(type === "missing" || type === "null" ? type : "retyped", type);
    }),
  );
  templates.set(shape, made);
  return made;
}

function findFormats(node: ShapeNode, { counts }: BoundedCount, tally: Tally, into: Finding[]): void {
  const of = chancesOf(node, tally);
  for (const [name, [count]] of counts) {
    into.push(createFinding(tally.shape.endpoint, node.path, "format", node.type, name, count!, of));
  }
}

function findNewValues(node: ShapeNode, tally: Tally, into: Finding[]): void {
  const { counts: words, folded } = tally.values[node.index]!;
  let unlisted = folded[0]!;
  for (const [word, [count]] of words) if (!node.instances.has(word)) unlisted += count!;
  if (unlisted === 0) return;
  const of = chancesOf(node, tally);
  into.push(createFinding(tally.shape.endpoint, node.path, "new-value", node.type, "string", unlisted, of));
}

function findExtras(node: ShapeNode, extras: BoundedCount, tally: Tally, into: Finding[]): void {
  const of = tally.counts[node.index * slots.size + slots.visited]!;
  const prefix = node.parent ? `${node.path}.` : "";
  const { endpoint } = tally.shape;
  const add = (name: string, byType: readonly number[]) => {
    for (let type = 0; type < jsonTypes.length; type++) {
      // Odd keys fold into one name, and an object may have many: it counts once at the most.
      const count = Math.min(byType[type]!, of);
      if (count > 0) {
        into.push(createFinding(endpoint, prefix + name, "extra", "nothing", jsonTypes[type]!, count, of));
      }
    }
  };
  for (const [name, byType] of extras.counts) add(name, byType);
  add("<dynamic>", extras.folded);
}

/** All that the walk saw; what the document promises beyond types is in promises.ts. */
export function findDrift(tally: Tally): Finding[] {
  const { shape, counts, hits, formats, extras } = tally;
  const { nodes } = shape;
  const findings: Finding[] = [];
  if (hits.length > 0) {
    const made = templatesOf(shape);
    for (const slot of hits) {
      const of = chancesOf(nodes[Math.floor(slot / slots.size)]!, tally);
      findings.push({ ...made[slot]!, count: counts[slot]!, of });
    }
  }
  if (formats.size > 0)
    for (const [at, bounded] of formats) findFormats(nodes[at]!, bounded, tally, findings);
  if (extras.size > 0) for (const [at, bounded] of extras) findExtras(nodes[at]!, bounded, tally, findings);
  for (const node of shape.valued) findNewValues(node, tally, findings);
  return findings;
}

const rank: Record<Level, number> = { breaking: 0, additive: 1, notice: 2 };

/** Worst first, then by id: the same findings always come in the same order. */
export function sortFindings(findings: Finding[]): Finding[] {
  if (findings.length < 2) return findings;
  return findings.sort((a, b) =>
    a.level === b.level ? (a.id < b.id ? -1 : 1) : rank[a.level] - rank[b.level],
  );
}
