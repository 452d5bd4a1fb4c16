// Python: fields that are named in one place and read in another: columns of a writer, keys of a dictionary.

import type { Expression } from "../../flow/code.ts";
import type { Flow, Frame, Invocation } from "../../flow/frame.ts";
import { enter } from "../../flow/values/access.ts";
import type { ObjectAtom, Value } from "../../flow/values/atoms.ts";
import { atCaller, keysOf } from "../../flow/values/origin.ts";
import { dereference, elementsOf, join, newObject, ofKind } from "../../flow/values/values.ts";

/** Where a writer keeps its columns; no source code can have such a key. */
const columnsKey = "<columns>";

const listOf = (element: Value): Value => [{ ...newObject(), element: { value: element } }];

function tupleOf(...items: readonly Value[]): ObjectAtom {
  const tuple = newObject(true);
  for (const [index, value] of items.entries()) tuple.fields.set(String(index), { value });
  return tuple;
}

/** Each name is read where it was chosen. */
const readNames = (record: Value, names: Value, frame: Frame, line: number, flow: Flow): Value =>
  join(
    ...ofKind(names, "text").map(({ text, via }) => {
      const at = atCaller(frame, line, via);
      return enter(record, text, at.frame, at.line, flow);
    }),
  );

/** `DictWriter(file, columns)`, and the rows it is given later. */
function writeRows(
  { name, receiver = [], args, line }: Invocation,
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const [first = [], second = []] = args.positional;
  if (name === "DictWriter") {
    const writer = newObject();
    writer.fields.set(columnsKey, { value: elementsOf(args.named.get("fieldnames") ?? second) });
    return [writer];
  }
  if (!/^writerows?$/.test(name)) return undefined;
  const records = name === "writerow" ? dereference(first) : elementsOf(first);
  for (const { fields } of ofKind(dereference(receiver), "object"))
    readNames(records, fields.get(columnsKey)?.value ?? [], frame, line, flow);
  return undefined;
}

/** A dictionary of the code's own whose keys are names of fields. */
function goThroughKeys({ name, receiver = [], args }: Invocation): Value | undefined {
  if (!/^(items|keys)$/.test(name) || args.positional.length > 0) return undefined;
  const own = ofKind(dereference(receiver), "object");
  const keys = keysOf(own);
  if (keys.length === 0) return undefined;
  return listOf(name === "keys" ? keys : [tupleOf(keys, elementsOf(own))]);
}

/** `map(passport.get, names)`. */
function mapGetter(
  { name, args, line }: Invocation,
  [getter]: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const isGetter = getter?.kind === "member" && /^(get|__getitem__)$/.test(getter.key);
  if (name !== "map" || !isGetter) return undefined;
  const record = flow.evaluate(getter.of, frame);
  return listOf(readNames(record, elementsOf(args.positional[1] ?? []), frame, line, flow));
}

export const readByNames = (
  invocation: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined =>
  writeRows(invocation, frame, flow) ??
  goThroughKeys(invocation) ??
  mapGetter(invocation, source, frame, flow);
