// Resolves methods: finds a function on a class and binds it to its receiver.
import type { Atom, FunctionAtom, ObjectAtom, Value } from "./atoms.ts";
import { keyOf } from "./atoms.ts";
import { fill, join, newObject, ofKind } from "./values.ts";

const bound = new WeakMap<FunctionAtom, Map<string, FunctionAtom>>();

/** One for each value, so that what it gave is remembered. */
export function bindTo(method: FunctionAtom, self: Atom): FunctionAtom {
  const known = bound.get(method) ?? new Map<string, FunctionAtom>();
  bound.set(method, known);
  const key = keyOf([self]);
  const atom = known.get(key) ?? { ...method, self: [self], memo: new Map() };
  known.set(key, atom);
  return atom;
}

const isOwnedBy = ({ self: [owner] }: FunctionAtom, instance: ObjectAtom): boolean =>
  owner === instance || (owner?.kind === "class" && owner.instance === instance);

/** An inherited method works on the heir, and a model's on what was decoded. */
export const bindMethods = (value: Value, owner: ObjectAtom, self: Atom): Value =>
  self === owner
    ? value
    : value.map((atom) => {
        if (atom.kind !== "function" || !isOwnedBy(atom, owner)) return atom;
        const takesClass = atom.code.isOfClass === true;
        return takesClass === (self.kind === "class") ? bindTo(atom, self) : atom;
      });

/** `super()`: what stands beneath the class that has the running method. */
export function beneathMethod(self: Value, name: string, code: object): Value {
  return join(
    ...self.map((atom): Value => {
      const object = atom.kind === "class" ? atom.instance : atom;
      if (object.kind !== "object") return [];
      const own = ofKind(object.fields.get(name)?.value ?? [], "function");
      return own.some((method) => method.code === code)
        ? object.beneath
        : beneathMethod(object.beneath, name, code);
    }),
  );
}

const prototypes = new WeakMap<object, ObjectAtom>();

/** What `new` makes of a function that is a class in the old way. */
export const prototypeOf = ({ code }: FunctionAtom): ObjectAtom | undefined => prototypes.get(code);

/** `Client.prototype.find = function …` */
export function extendPrototype(owners: readonly FunctionAtom[], name: string, value: Value): void {
  for (const { code } of owners) {
    const prototype = prototypes.get(code) ?? { ...newObject(), isInstance: true };
    prototypes.set(code, prototype);
    const cell = prototype.fields.get(name) ?? { value: [] };
    prototype.fields.set(name, cell);
    fill(
      cell,
      value.map((atom) => (atom.kind === "function" ? bindTo(atom, prototype) : atom)),
    );
  }
}
