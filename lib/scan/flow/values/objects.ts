// Object and list literals: one abstract object per source location.

import type { Expression } from "../code.ts";
import { siteOf } from "../frame.ts";
import type { Frame, ObjectAtom, Value } from "./atoms.ts";
import { markRow, markWritten } from "./origin.ts";
import { findClass } from "./types.ts";
import { cellAt, elementsOf, fill, fillField, join, newObject, orderedItems, remember } from "./values.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

/** A channel is one for all calls and rounds: who takes from it may run before who puts something in. */
function madeAt(expression: Of<"object" | "list">, frame: Frame): ObjectAtom {
  const isChannel = expression.kind === "list" && expression.isChannel;
  const { made } = isChannel ? frame.module.frame : frame;
  return remember(made, expression, () => newObject(expression.kind === "list"));
}

/** Where an entry is written, for tables of names. */
function siteOfEntry(object: ObjectAtom, key: string, { line }: Expression, frame: Frame) {
  const cell = cellAt(object, key);
  if (object.isTuple || frame.module.language.keys !== "any-case") cell.site ??= siteOf(frame, line);
  return cell.site;
}

function fillItem(list: ObjectAtom, key: string, value: Value, item: Expression, frame: Frame): void {
  const isRow = item.kind === "object" || item.kind === "list";
  fillField(list, key, markWritten(isRow ? markRow(value) : value, siteOfEntry(list, key, item, frame)));
}

export function evaluateObject(expression: Of<"object">, frame: Frame): Value {
  const object = madeAt(expression, frame);
  const instance = giveType(object, expression.type, frame);
  // `this` in a method of the literal, and in those of literals inside it.
  const within = { ...frame, self: [object, ...frame.self] };
  for (const { key, value, at } of expression.entries) {
    const hasThis = value.kind === "object" || (value.kind === "function" && value.code.hasThis);
    const given = frame.flow.evaluate(value, hasThis ? within : frame);
    if (at) {
      frame.flow.evaluate(at, frame);
      fill(object.element, given);
    } else if (key === undefined) object.beneath = join(object.beneath, given);
    else {
      siteOfEntry(object, key, value, frame);
      fillField(object, key, given);
      if (instance) fillField(instance, key, given);
    }
  }
  frame.module.language.openObject?.(object, frame, expression.line);
  return [object];
}

/** An object knows its type. What one of a type has, its methods find in all of them. */
function giveType(object: ObjectAtom, type: string | undefined, frame: Frame): ObjectAtom | undefined {
  const known = findClass(type, frame);
  if (!known) return undefined;
  object.type = known;
  if (type?.startsWith("[]") || known.same) return undefined;
  if (object.beneath.length === 0) object.beneath = [known.instance];
  return known.shape ? undefined : known.instance;
}

/** Structs whose fields are given in their order. */
const structs = new WeakMap<Expression, Of<"object">>();

export function evaluateList(expression: Of<"list">, frame: Frame): Value {
  const { type = "[]", items, sizes = [], line } = expression;
  for (const size of sizes) frame.flow.evaluate(size, frame);
  const declared = type.startsWith("[]") ? [] : (findClass(type, frame)?.declared ?? []);
  if (declared.length > 0) {
    const entries = items.map((value, index) => ({ key: declared[index]?.name ?? "", value }));
    return evaluateObject(
      remember(structs, expression, () => ({ kind: "object", entries, type, line })),
      frame,
    );
  }
  const list = madeAt(expression, frame);
  giveType(list, type, frame);
  if (expression.isChannel) list.isChannel = true;
  let next = 0;
  for (const item of expression.items) {
    const value = frame.flow.evaluate(item.kind === "spread" ? item.of : item, frame);
    const items = item.kind === "spread" ? orderedItems(value) : [value];
    if (!items) {
      fill(list.element, elementsOf(value));
      list.isOpen = true;
    } else {
      for (const one of items) {
        fillItem(list, String(next), one, item, frame);
        next += 1;
      }
    }
  }
  return [list];
}
