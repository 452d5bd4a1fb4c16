// Values as keys, for remembering what was done with them.
import type { Atom, Value } from "./scan-atoms.ts";

let identities = 0;
const identity = new WeakMap<object, number>();
const identify = (thing: object): number => {
  const known = identity.get(thing);
  if (known !== undefined) return known;
  identities += 1;
  identity.set(thing, identities);
  return identities;
};

const keyOfAtom = (atom: Atom): string => {
  if (atom.kind === "text") return `t${atom.text}${atom.via ? `@${atom.via.file}:${atom.via.line}` : ""}`;
  if (atom.kind === "data")
    return `d${identify(atom.node)}${atom.isSure ? "" : "?"}${atom.basis}${atom.isWrapped ? "w" : ""}`;
  if (atom.kind === "status") return `s${atom.endpoint}`;
  if (atom.kind === "reference" || atom.kind === "setter") return `r${identify(atom.cell)}`;
  return `o${identify(atom)}`;
};

/** The same key, the same value: for remembering what a function gave. */
export const keyOf = (value: Value): string => value.map(keyOfAtom).join("|");
