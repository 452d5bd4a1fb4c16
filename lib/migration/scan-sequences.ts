// Texts in their order, such as the parts of a path: lists that are added up, appended to and gone through.
import type { ObjectAtom, Value } from "./scan-atoms.ts";
import { bindPattern } from "./scan-binding.ts";
import type { Expression } from "./scan-code.ts";
import type { Flow, Frame } from "./scan-frame.ts";
import { orderedItems } from "./scan-items.ts";
import { fill, newObject } from "./scan-values.ts";

type Collect = Extract<Expression, { kind: "collect" }>;

const maxParts = 12;

const isPart = (value: Value) => value.every(({ kind }) => kind === "text");

/** The items, where some are texts and the others are unknown: only there does their order matter. */
export function partsIn(value: Value): Value[] | undefined {
  const items = orderedItems(value) ?? [];
  const isPath = items.every(isPart) && items.some((item) => item.length > 0);
  return isPath && items.length <= maxParts ? items : undefined;
}

export function listParts(items: readonly Value[]): Value {
  const list = newObject(true);
  for (const [index, value] of items.entries()) list.fields.set(String(index), { value });
  return [list];
}

/** `ROOT + ["passports", id]` */
export function addParts(left: Value, right: Value): Value | undefined {
  const [before, after] = [partsIn(left), orderedItems(right)];
  return before && after?.every(isPart) ? listParts([...before, ...after]) : undefined;
}

/** Each `append` is one item, however often the code is gone through. */
const appended = new WeakMap<ObjectAtom, Map<Expression, string>>();

/** `parts.append(id)`; false where it is no list of parts. */
export function appendPart(list: ObjectAtom, item: Value, place: Expression): boolean {
  if (!isPart(item) || !partsIn([list])) return false;
  const known = appended.get(list) ?? new Map<Expression, string>();
  appended.set(list, known);
  const key = known.get(place) ?? String(list.fields.size);
  known.set(place, key);
  list.fields.set(key, { value: item });
  return true;
}

/** `str(part) for part in parts`: as many items, in the same order. */
function collectParts({ body, value, key }: Collect, frame: Frame, flow: Flow): Value | undefined {
  const [loop] = body;
  if (key || body.length !== 1 || loop?.kind !== "loop") return undefined;
  const parts = partsIn(flow.evaluate(loop.over, frame));
  if (!parts) return undefined;
  const items = parts.map((part) => {
    bindPattern(loop.into, part, frame, flow);
    return flow.evaluate(value, frame);
  });
  return items.every(isPart) ? listParts(items) : undefined;
}

export function collect(expression: Collect, frame: Frame, flow: Flow): Value {
  const ordered = collectParts(expression, frame, flow);
  if (ordered) return ordered;
  flow.run(expression.body, frame);
  const list = newObject();
  list.element.value = flow.evaluate(expression.value, frame);
  // A dictionary of futures is gone through by its keys.
  const keys = expression.key ? flow.evaluate(expression.key, frame) : [];
  fill(
    list.element,
    keys.filter((atom) => atom.kind === "data" && atom.node.children.size > 0),
  );
  return [list];
}
