// Tables made by libraries: a list of V1's records, and beside it the names of the fields to show.
import { enter } from "./scan-access.ts";
import type { TextAtom, Value } from "./scan-atoms.ts";
import type { Flow, Frame } from "./scan-frame.ts";
import { elementsOf } from "./scan-items.ts";
import { atCaller } from "./scan-origin.ts";
import { dataOf, dereference, ofKind } from "./scan-values.ts";

const maxNested = 3;

/** Names that are written in a table, as `["score"]` or `[{ key: "score" }]`. */
const namesIn = (value: Value, depth: number): TextAtom[] =>
  value.flatMap((atom): TextAtom[] => {
    if (atom.kind === "text") return atom.via && atom.literals.length === 0 ? [atom] : [];
    if (atom.kind !== "object" || atom.isWrapped || atom.isInstance || depth === 0) return [];
    return [atom.element, ...atom.fields.values()].flatMap((cell) => namesIn(cell.value, depth - 1));
  });

const recordsIn = (value: Value): Value =>
  dataOf(elementsOf(value)).filter(({ node }) => node.children.size > 0 && node.path !== "");

/** Lists as arguments, and among the options: `{ data, columns }`. */
const listed = (value: Value): Value => [
  ...recordsIn(value),
  ...ofKind(dereference(value), "object").flatMap(({ fields, isTuple }) =>
    isTuple ? [] : [...fields.values()].flatMap((cell) => recordsIn(cell.value)),
  ),
];

export function readTable(given: readonly Value[], frame: Frame, line: number, flow: Flow): void {
  if (frame.module.language !== "javascript") return;
  const names = given.flatMap((value) => namesIn(value, maxNested));
  const records = names.length > 0 ? given.flatMap(listed) : [];
  for (const { text, via } of records.length > 0 ? names : []) {
    const at = atCaller(frame, line, via);
    text
      .split(".")
      .reduce<Value>(
        (value, key) => (value.length > 0 ? enter(value, key, at.frame, at.line, flow) : []),
        records,
      );
  }
}
