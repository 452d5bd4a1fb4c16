// The items of a value: all, in their order, or the one at a position.
import type { Value } from "./scan-atoms.ts";
import { dereference, isBody, join } from "./scan-values.ts";

/** What a list or dictionary holds. A single record stays itself: a body is often wrapped once more. */
export function elementsOf(value: Value): Value {
  return join(
    ...dereference(value).map((atom): Value => {
      if (atom.kind === "data") {
        if (atom.node.element) return [{ ...atom, node: atom.node.element }];
        return isBody(atom) || atom.isWrapped ? [atom] : [];
      }
      if (atom.kind === "foreign") return [atom];
      if (atom.kind !== "object") return [];
      const beneath = atom.isWrapped ? elementsOf(atom.beneath) : [];
      return join(atom.element.value, ...[...atom.fields.values()].map((cell) => cell.value), beneath);
    }),
  );
}

/** All items in their order; undefined where that is not known. */
export function orderedItems(value: Value): Value[] | undefined {
  const atoms = dereference(value);
  const [list] = atoms;
  if (atoms.length !== 1 || list?.kind !== "object" || !list.isTuple || list.isOpen) return undefined;
  if (list.element.value.length > 0 || list.beneath.length > 0) return undefined;
  return [...list.fields.values()].map((cell) => cell.value);
}

/** The item at a position, where positions are known. */
export function itemAt(value: Value, index: number): Value {
  return join(
    ...dereference(value).map((atom): Value => {
      if (atom.kind === "object" && atom.isTuple)
        return atom.fields.get(String(index))?.value ?? atom.element.value;
      // `resp, err := call()`: the answer is the first, the error says nothing.
      if (atom.kind === "data" && !atom.node.element) return index === 0 ? [atom] : [];
      if (atom.kind === "foreign") return [atom];
      if (atom.kind === "text" || atom.kind === "class") return index === 0 ? [atom] : [];
      if (atom.kind === "object" && atom.element.value.length === 0) return index === 0 ? [atom] : [];
      return elementsOf([atom]);
    }),
  );
}
