// Assignments: binds names to values, including destructuring and declared types.
import { joinPath, mentionsResource } from "../../names/addresses.ts";
import type { Expression, FunctionCode, Pattern } from "../code.ts";
import { noArguments } from "../frame.ts";
import { checkFallback } from "../hazards.ts";
import { enter, origin, slotNames } from "../values/access.ts";
import type { Arguments, Cell, Frame, FunctionAtom, Scope, Value } from "../values/atoms.ts";
import { namedRecord, typedValue } from "../values/types.ts";
import {
  concatenate,
  dataOf,
  dereference,
  fill,
  fillField,
  findCell,
  itemAt,
  join,
  newObject,
  ofKind,
  tupleOf,
} from "../values/values.ts";

const isModuleFrame = (frame: Frame) => frame === frame.module.frame;

export const declaringScope = (frame: Frame): Scope =>
  isModuleFrame(frame) ? frame.module.exported : frame.scope;

function assign(name: string, declares: boolean, value: Value, frame: Frame): void {
  const own = declaringScope(frame);
  const cell = declares ? own.names.get(name) : findCell(frame.scope, name);
  if (!cell) own.names.set(name, { value });
  else if (
    own.names.get(name) === cell &&
    frame.branches === 0 &&
    !(isModuleFrame(frame) && frame.flow.round > 0)
  )
    cell.value = value;
  else fill(cell, value);
}

function bindExports(path: readonly string[], value: Value, { module }: Frame): void {
  const [first, second] = path;
  const name = first === "module" ? path[2] : second;
  if (name !== undefined) {
    module.exported.names.set(name, { value });
    return;
  }
  module.exported.names.set("default", { value });
  for (const { fields } of ofKind(value, "object")) {
    for (const [key, cell] of fields) module.exported.names.set(key, cell);
  }
}

/** The cell that a name or a field of an object stands for, so that it may be filled by others. */
export function findPlace(place: Expression, frame: Frame): Cell | undefined {
  if (place.kind === "name") return findCell(frame.scope, place.name);
  if (place.kind !== "member") return undefined;
  const held = dereference(frame.flow.evaluate(place.of, frame));
  const [object] = ofKind(held, "object");
  if (!object || held.some(({ kind }) => kind === "data" || kind === "foreign")) return undefined;
  const cell = object.fields.get(place.key) ?? { value: frame.flow.evaluate(place, frame) };
  object.fields.set(place.key, cell);
  return cell;
}

/** `u.Path = …`, `url.pathname = …`: the address keeps its host and gets another path. */
function bindAddress(
  { of, key }: Extract<Expression, { kind: "member" }>,
  value: Value,
  frame: Frame,
): boolean {
  if (!/^(Path|pathname)$/.test(key)) return false;
  const cell = findPlace(of, frame);
  const before = ofKind(cell?.value ?? [], "text");
  const isV1 = ofKind(value, "text").some(({ text }) => mentionsResource(text));
  const isUnknown = cell?.value.length === 0;
  if (!cell || !(before.length > 0 || (isUnknown && isV1))) return false;
  const hosts = before.map((atom) => ({ ...atom, text: origin.exec(atom.text)![0] }));
  cell.value = concatenate([hosts, value], joinPath);
  return true;
}

function bindPlace(pattern: Extract<Pattern, { kind: "place" }>, value: Value, frame: Frame): void {
  const { place } = pattern;
  if (place.kind !== "member" && place.kind !== "element") return;
  const path = dottedPath(place);
  if (path && /^(module\.exports|exports\.)/.test(path.join("."))) {
    bindExports(path, value, frame);
    return;
  }
  if (place.kind === "member" && bindAddress(place, value, frame)) return;
  if (place.kind === "element" && place.index) frame.flow.evaluate(place.index, frame);
  const owners = frame.flow.evaluate(place.of, frame);
  const kept = { fields: frame.flow.attributes };
  if (owners.length === 0 && place.kind === "member") fillField(kept, place.key, ofKind(value, "object"));
  for (const slot of owners.length === 0 ? slotNames(place, frame) : []) {
    const records = dataOf(value).filter(({ node }) => node.children.size > 0 || node.element);
    fillField(kept, slot, records);
  }
  for (const object of ofKind(owners, "object")) {
    if (place.kind === "element") fill(object.element, value);
    else {
      const instance = object.type && !object.type.shape ? object.type.instance : object;
      for (const owner of new Set([object, instance])) fillField(owner, place.key, value);
    }
  }
}

function dottedPath(expression: Extract<Pattern, { kind: "place" }>["place"]): string[] | undefined {
  if (expression.kind === "name") return [expression.name];
  if (expression.kind !== "member") return undefined;
  const before = dottedPath(expression.of);
  return before && [...before, expression.key];
}

export function bindPattern(pattern: Pattern, value: Value, frame: Frame): void {
  switch (pattern.kind) {
    case "name": {
      const { name, declares, type } = pattern;
      const typed = value.length > 0 ? value : typedValue(type, frame);
      // A library's result may still be the function that it was given.
      const isKnown = typed.some(({ kind }) => kind !== "function");
      assign(name, declares, isKnown ? typed : join(typed, namedRecord(name, frame)), frame);
      return;
    }
    case "place":
      bindPlace(pattern, value, frame);
      return;
    case "fields":
      for (const { key, into, instead, line } of pattern.fields) {
        const inner = enter(value, key, frame, line);
        if (instead) checkFallback(inner, instead, frame, line);
        bindPattern(into, instead ? join(inner, frame.flow.evaluate(instead, frame)) : inner, frame);
      }
      if (pattern.rest) bindPattern(pattern.rest, value, frame);
      return;
    case "items":
      pattern.items.forEach((item, index) => {
        if (!item) return;
        // What useState's setter is given, its value becomes.
        const state = index === 0 ? itemAt(value, 1).find((atom) => atom.kind === "setter") : undefined;
        if (state?.kind === "setter" && item.kind === "name") {
          declaringScope(frame).names.set(item.name, state.cell);
          return;
        }
        const isRest = pattern.rest && index === pattern.items.length - 1;
        bindPattern(item, isRest ? value : itemAt(value, index), frame);
      });
      return;
    default:
  }
}

// Parameters: what a call gives to each of them.
const listItems = (items: readonly Value[], rest: Value | undefined): Value =>
  ofKind(tupleOf(...items), "object").map((list) => ({ ...list, isOpen: rest !== undefined }));

function namedItems(named: Arguments["named"], params: FunctionCode["params"]): Value {
  const object = newObject();
  for (const [name, value] of named)
    if (!params.some((param) => param.name === name)) object.fields.set(name, { value });
  return [object];
}

/** An empty text as a default says nothing about the argument. */
const isGiven = (atom: Value[number]) => atom.kind !== "text" || atom.text !== "";

export function bindParameters(target: FunctionAtom, args: Arguments, frame: Frame): void {
  const { code, self } = target;
  let params = code.params;
  if (self.length > 0 && params[0]?.isSelf) {
    bindPattern(params[0].into, self, frame);
    params = params.slice(1);
  }
  if (code.receiver?.name) frame.scope.names.set(code.receiver.name, { value: self });
  params.forEach((param, index) => {
    let value = args.positional[index] ?? args.named.get(param.name ?? "") ?? args.rest ?? [];
    if (param.isRest && args !== noArguments) value = listItems(args.positional.slice(index), args.rest);
    if (param.isNamedRest) value = namedItems(args.named, params);
    if (value.length === 0) {
      const instead = param.instead ? frame.flow.evaluate(param.instead, frame).filter(isGiven) : [];
      value = join(instead, typedValue(param.type, frame));
    }
    if (value.length === 0) value = frame.module.language.parameter?.(code, index, frame.flow) ?? [];
    bindPattern(param.into, value, frame);
    if (!param.isField || !param.name) return;
    for (const object of ofKind(self, "object")) fillField(object, param.name, value);
  });
}
