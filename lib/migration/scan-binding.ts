// Giving names to values: assignment, destructuring, declared types.
import { enter, itemAt } from "./scan-access.ts";
import type { Pattern } from "./scan-code.ts";
import type { Flow, Frame } from "./scan-frame.ts";
import { checkFallback } from "./scan-hazards.ts";
import { dereference, fill, findCell, join, ofKind, type Scope, type Value } from "./scan-values.ts";

const isModuleFrame = (frame: Frame) => frame === frame.module.frame;

export const declaringScope = (frame: Frame): Scope =>
  isModuleFrame(frame) ? frame.module.exported : frame.scope;

function assign(name: string, declares: boolean, value: Value, frame: Frame, flow: Flow): void {
  const own = declaringScope(frame);
  const cell = declares ? own.names.get(name) : findCell(frame.scope, name);
  if (!cell) own.names.set(name, { value });
  else if (own.names.get(name) === cell && frame.branches === 0 && !(isModuleFrame(frame) && flow.round > 0))
    cell.value = value;
  else fill(cell, value);
}

/** What a declared type says of a value that came from nowhere we know. */
export function typedValue(type: string | undefined, frame: Frame): Value {
  if (!type || type.length > 200) return [];
  for (const [name] of type.matchAll(/[A-Za-z_$][\w$]*/g)) {
    const [known] = ofKind(findCell(frame.scope, name)?.value ?? [], "class");
    if (!known) continue;
    if (!known.shape) return [known.instance];
    const list = /\[\]|\b(Array|list|List|Sequence|Iterable)\b/.test(type);
    const atom = { kind: "data", node: known.shape, isSure: true, basis: "type" } as const;
    return list
      ? [{ kind: "object", fields: new Map(), element: { value: [atom] }, beneath: [], isTuple: false }]
      : [atom];
  }
  return [];
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

function bindPlace(
  pattern: Extract<Pattern, { kind: "place" }>,
  value: Value,
  frame: Frame,
  flow: Flow,
): void {
  const { place } = pattern;
  if (place.kind !== "member" && place.kind !== "element") return;
  const path = dottedPath(place);
  if (path && frame.module.language === "javascript" && /^(module\.exports|exports\.)/.test(path.join("."))) {
    bindExports(path, value, frame);
    return;
  }
  if (place.kind === "element" && place.index) flow.evaluate(place.index, frame);
  for (const object of ofKind(dereference(flow.evaluate(place.of, frame)), "object")) {
    if (place.kind === "element") fill(object.element, value);
    else {
      const cell = object.fields.get(place.key) ?? { value: [] };
      object.fields.set(place.key, cell);
      fill(cell, value);
    }
  }
}

function dottedPath(expression: Extract<Pattern, { kind: "place" }>["place"]): string[] | undefined {
  if (expression.kind === "name") return [expression.name];
  if (expression.kind !== "member") return undefined;
  const before = dottedPath(expression.of);
  return before && [...before, expression.key];
}

export function bindPattern(pattern: Pattern, value: Value, frame: Frame, flow: Flow): void {
  switch (pattern.kind) {
    case "name":
      assign(
        pattern.name,
        pattern.declares,
        value.length > 0 ? value : typedValue(pattern.type, frame),
        frame,
        flow,
      );
      return;
    case "place":
      bindPlace(pattern, value, frame, flow);
      return;
    case "fields":
      for (const { key, into, instead, line } of pattern.fields) {
        const inner = enter(value, key, frame, line, flow);
        if (instead) checkFallback(inner, instead, frame, line, flow);
        bindPattern(into, instead ? join(inner, flow.evaluate(instead, frame)) : inner, frame, flow);
      }
      if (pattern.rest) bindPattern(pattern.rest, value, frame, flow);
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
        bindPattern(item, isRest ? value : itemAt(value, index), frame, flow);
      });
      return;
    default:
  }
}
