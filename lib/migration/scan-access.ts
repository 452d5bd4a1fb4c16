// Going into a value: by key, by position, by destructuring.
import type { FieldNode } from "./consumer-fields.ts";
import { type Flow, type Frame, guessNode, tellRead } from "./scan-frame.ts";
import {
  type Atom,
  type DataAtom,
  dereference,
  isBody,
  join,
  type ObjectAtom,
  type Value,
} from "./scan-values.ts";

/** On an answer, ways to its body that are no fields of it. */
const carriers = new Set(
  "data body json text content Body payload result results value response Result parsed raw decoded json_data read".split(
    " ",
  ),
);

/** Go names fields as it likes; their tags say which key is meant. */
function childOf(node: FieldNode, key: string, { module }: Frame): FieldNode | undefined {
  const exact = node.children.get(key);
  if (exact || module.language !== "go") return exact;
  for (const tag of [...(module.tags.get(key) ?? []), ...(module.allTags.get(key) ?? [])]) {
    const child = node.children.get(tag);
    if (child) return child;
  }
  // encoding/json matches without regard to case where there is no tag.
  return module.tags.has(key) ? undefined : node.children.get(key.toLowerCase());
}

function enterData(atom: DataAtom, key: string, frame: Frame, line: number, flow: Flow): Value {
  // A list that a language unwraps by itself, such as a typed list's item.
  const child = childOf(atom.node, key, frame);
  if (child) {
    const inner: DataAtom = { ...atom, node: child };
    tellRead(flow, frame, line, inner);
    return [inner];
  }
  return isBody(atom) && carriers.has(key) ? [atom] : [];
}

const enterObject = (atom: ObjectAtom, key: string, frame: Frame, line: number, flow: Flow): Value => {
  const own = atom.fields.get(key);
  if (own) return own.value;
  return atom.beneath.length > 0 ? enter(atom.beneath, key, frame, line, flow) : [];
};

export function enter(value: Value, key: string, frame: Frame, line: number, flow: Flow): Value {
  const atoms = dereference(value);
  if (atoms.length === 0) {
    const node = guessNode(key);
    if (node) tellRead(flow, frame, line, { kind: "data", node, isSure: true, basis: "name" });
    return [];
  }
  return join(
    ...atoms.map((atom: Atom): Value => {
      if (atom.kind === "data") return enterData(atom, key, frame, line, flow);
      if (atom.kind === "object") return enterObject(atom, key, frame, line, flow);
      if (atom.kind === "class") return enterObject(atom.instance, key, frame, line, flow);
      return atom.kind === "text" && (key === "href" || key === "pathname") ? [atom] : [];
    }),
  );
}

/** What a list or dictionary holds. A single record stays itself: a body is often wrapped once more. */
export function elementsOf(value: Value): Value {
  return join(
    ...dereference(value).map((atom): Value => {
      if (atom.kind === "data") {
        if (atom.node.element) return [{ ...atom, node: atom.node.element }];
        return isBody(atom) ? [atom] : [];
      }
      if (atom.kind !== "object") return [];
      return join(atom.element.value, ...[...atom.fields.values()].map((cell) => cell.value));
    }),
  );
}

/** The item at a position, where positions are known. */
export function itemAt(value: Value, index: number): Value {
  return join(
    ...dereference(value).map((atom): Value => {
      if (atom.kind === "object" && atom.isTuple)
        return atom.fields.get(String(index))?.value ?? atom.element.value;
      // `resp, err := call()`: the answer is the first, the error says nothing.
      if (atom.kind === "data" && !atom.node.element) return index === 0 ? [atom] : [];
      if (atom.kind === "text" || atom.kind === "class") return index === 0 ? [atom] : [];
      if (atom.kind === "object" && atom.element.value.length === 0) return index === 0 ? [atom] : [];
      return elementsOf([atom]);
    }),
  );
}
