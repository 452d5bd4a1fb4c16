// Go: resolves method calls on interfaces, on V1 values and on unknown receivers.

import type { Expression } from "../../flow/code.ts";
import type { Frame } from "../../flow/frame.ts";
import type { ClassAtom, FunctionAtom, ObjectAtom, Value } from "../../flow/values/atoms.ts";
import { bindTo, fitsType } from "../../flow/values/types.ts";
import { dataOf, dereference, ofKind } from "../../flow/values/values.ts";

const ownerOf = ({ self }: FunctionAtom): ClassAtom | undefined => ofKind(self, "object")[0]?.type;

/** More than a few types with one method's name are not the same thing. */
const maxImplementers = 6;

const converted = new WeakMap<ObjectAtom, Map<ClassAtom, ObjectAtom>>();

/** `Rows(list)`: the same, with the methods of another type. */
export const convert = (type: ClassAtom, value: Value): Value =>
  dereference(value).map((atom) => {
    if (atom.kind !== "object" || type.same === undefined) return atom;
    const known = converted.get(atom) ?? new Map<ClassAtom, ObjectAtom>();
    converted.set(atom, known);
    const copy = known.get(type) ?? { ...atom, type };
    known.set(type, copy);
    return copy;
  });

export function findMethods(callee: Expression, receiver: Value, { module }: Frame): Value {
  if (module.language !== "go" || callee.kind !== "member") return [];
  if (callee.of.kind === "name" && module.outside.has(callee.of.name)) return [];
  const near = module.methods.get(callee.key) ?? [];
  const all = module.allMethods.get(callee.key) ?? [];
  const held = dereference(receiver);
  const data = dataOf(held);
  if (data.length > 0) {
    return data.flatMap((atom) =>
      all
        .filter((method) => {
          const owner = ownerOf(method);
          return owner !== undefined && fitsType(owner, atom.node);
        })
        .map((method) => bindTo(method, atom)),
    );
  }
  const texts = ofKind(held, "text");
  if (texts.length > 0) {
    const ofText = all.filter((method) => ownerOf(method)?.same === "string");
    return texts.flatMap((atom) => ofText.map((method) => bindTo(method, atom)));
  }
  const functions = ofKind(held, "function");
  if (functions.length > 0) {
    // `type Fetcher func(…)`: a function with methods.
    const ofFunction = all.filter((method) => ownerOf(method)?.same === "");
    return functions.flatMap((atom) => ofFunction.map((method) => bindTo(method, atom)));
  }
  if (!held.every(({ kind }) => kind === "object")) return [];
  if (ofKind(held, "object").some(({ type }) => type?.isInterface) && all.length <= maxImplementers)
    return all;
  // `type People map[string]*Passport`
  const own = ofKind(held, "object").flatMap((atom) =>
    atom.type?.same === undefined
      ? []
      : all.filter((method) => ownerOf(method) === atom.type).map((method) => bindTo(method, atom)),
  );
  if (own.length > 0) return own;
  const isTyped = ofKind(held, "object").some(({ type }) => type !== undefined);
  return near.length === 1 && !isTyped ? near : [];
}
