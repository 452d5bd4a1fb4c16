// Where a body leaves the contract. Findings are about structure: a field renamed in 1,000 rows is
// two findings, and their ids do not depend on the order or the number of rows.
import type { EndpointId } from "../contract/endpoints.ts";
import type { Finding, FindingKind, Level } from "../records/observation.ts";
import type { ShapeNode } from "./shape.ts";
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

/** Most nodes of most bodies are as documented; this is the quick way past them. */
function isAsDocumented(node: ShapeNode, { counts, formats }: Tally): boolean {
  const slot = node.index * slots.size;
  let sum = counts[slot + slots.missing]! + counts[slot + slots.nonInteger]!;
  for (let type = 0; type < jsonTypes.length; type++) sum += counts[slot + slots.wrong + type]!;
  return sum === 0 && node.collects !== "values" && formats[node.index] === undefined;
}

/** Findings of documented fields, made once for each slot: only their counts differ between bodies. */
const templates = new WeakMap<ShapeNode, Finding[]>();

function templateAt(node: ShapeNode, tally: Tally, slot: number): Finding {
  let made = templates.get(node);
  if (!made) {
    made = [];
    templates.set(node, made);
  }
  const known = made[slot];
  if (known) return known;
  const make = (kind: FindingKind, observed: string) =>
    createFinding(tally.shape.endpoint, node.path, kind, node.type, observed, 0, 0);
  const type = jsonTypes[slot - slots.wrong] ?? "missing";
  let template: Finding;
  if (slot === slots.nonInteger) template = make("non-integer", "number");
  else if (node.isEnvelope) template = make("envelope", type);
  else template = make(type === "missing" || type === "null" ? type : "retyped", type);
  made[slot] = template;
  return template;
}

function findAtNode(node: ShapeNode, tally: Tally, into: Finding[]): void {
  const of = chancesOf(node, tally);
  for (let slot: number = slots.missing; slot <= slots.nonInteger; slot++) {
    const count = tally.counts[node.index * slots.size + slot]!;
    if (count > 0) into.push({ ...templateAt(node, tally, slot), count, of });
  }
  const add = (kind: FindingKind, observed: string, count: number) =>
    into.push(createFinding(tally.shape.endpoint, node.path, kind, node.type, observed, count, of));
  const formats = tally.formats[node.index];
  if (formats) for (const [name, [count]] of formats.counts) add("format", name, count!);
  if (node.collects === "values") {
    const { counts: words, folded } = tally.values[node.index]!;
    let unlisted = folded[0]!;
    for (const [word, [count]] of words) if (!node.instances.has(word)) unlisted += count!;
    if (unlisted > 0) add("new-value", "string", unlisted);
  }
}

function findExtras(node: ShapeNode, tally: Tally, into: Finding[]): void {
  const extras = tally.extras[node.index]!;
  const of = tally.counts[node.index * slots.size + slots.visited]!;
  const prefix = node.parent ? `${node.path}.` : "";
  const add = (name: string, byType: readonly number[]) => {
    for (let type = 0; type < jsonTypes.length; type++) {
      if (byType[type]! > 0) {
        const path = prefix + name;
        into.push(
          createFinding(tally.shape.endpoint, path, "extra", "nothing", jsonTypes[type]!, byType[type]!, of),
        );
      }
    }
  };
  for (const [name, byType] of extras.counts) add(name, byType);
  add("<dynamic>", extras.folded);
}

/** All that the walk saw; what the document promises beyond types is in promises.ts. */
export function findDrift(tally: Tally): Finding[] {
  const findings: Finding[] = [];
  for (const node of tally.shape.nodes) {
    if (!isAsDocumented(node, tally)) findAtNode(node, tally, findings);
    if (tally.extras[node.index]) findExtras(node, tally, findings);
  }
  return findings;
}

const rank: Record<Level, number> = { breaking: 0, additive: 1, notice: 2 };

/** Worst first, then by id: the same findings always come in the same order. */
export function sortFindings(findings: Finding[]): Finding[] {
  return findings.sort((a, b) => rank[a.level] - rank[b.level] || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
