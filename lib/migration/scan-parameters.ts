// Parameters: what a call gives to each of them.
import type { FunctionAtom, ObjectAtom, Value } from "./scan-atoms.ts";
import { bindPattern } from "./scan-binding.ts";
import { type FunctionCode, isNull } from "./scan-code.ts";
import { type Arguments, type Flow, type Frame, noArguments } from "./scan-frame.ts";
import { carriedBy } from "./scan-handlers.ts";
import { emptyOf, typedValue } from "./scan-types.ts";
import { join, newObject } from "./scan-values.ts";

function listItems(items: readonly Value[], rest: Value | undefined): Value {
  const list: ObjectAtom = { ...newObject(true), isOpen: rest !== undefined };
  for (const [index, value] of items.entries()) list.fields.set(String(index), { value });
  return [list];
}

function namedItems(named: Arguments["named"], params: FunctionCode["params"]): Value {
  const object = newObject();
  for (const [name, value] of named)
    if (!params.some((param) => param.name === name)) object.fields.set(name, { value });
  return [object];
}

export function bindParameters(target: FunctionAtom, args: Arguments, frame: Frame, flow: Flow): void {
  const { code, self } = target;
  const { language } = frame.module;
  let params = code.params;
  if (
    language === "python" &&
    self.length > 0 &&
    params[0]?.type === undefined &&
    /^(self|cls)$/.test(params[0]?.name ?? "")
  ) {
    bindPattern(params[0]!.into, self, frame, flow);
    params = params.slice(1);
    // `Base.method(self, …)` says it once more.
    if (args.positional[0]?.length && args.positional[0][0] === self[0])
      args = { ...args, positional: args.positional.slice(1) };
  }
  if (code.receiver?.name) frame.scope.names.set(code.receiver.name, { value: self });
  for (const { name, type } of code.results ?? [])
    frame.scope.names.set(name, { value: emptyOf(type, frame) });
  params.forEach((param, index) => {
    let value = args.positional[index] ?? args.named.get(param.name ?? "") ?? args.rest ?? [];
    if (param.isRest && args !== noArguments) value = listItems(args.positional.slice(index), args.rest);
    if (param.isNamedRest) value = namedItems(args.named, params);
    if (language === "python" && args !== noArguments && !args.rest && isNull(param.instead)) {
      frame.given ??= new Map();
      frame.given.set(param.name ?? "", index in args.positional || args.named.has(param.name ?? ""));
    }
    if (value.length === 0 && param.instead) value = flow.evaluate(param.instead, frame);
    if (value.length === 0) value = typedValue(param.type, frame);
    if (value.length === 0 && language === "javascript") value = carriedBy(code, index, flow);
    bindPattern(param.into, value, frame, flow);
    if (!param.isField || !param.name) return;
    for (const atom of self) {
      if (atom.kind !== "object") continue;
      const cell = atom.fields.get(param.name) ?? { value: [] };
      atom.fields.set(param.name, cell);
      cell.value = join(cell.value, value);
    }
  });
}
