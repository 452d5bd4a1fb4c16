// By which of its names a module hands V1 on: who mentions none of them need not be read.
import { mentionsResource } from "./consumer-paths.ts";
import type { Atom, Module, ObjectAtom, Value } from "./scan-atoms.ts";
import type { FunctionCode } from "./scan-code.ts";

/** A value inside a value inside a value. */
const maxInside = 4;

const carriers = new WeakSet<FunctionCode>();

/** Modules by the names they export: an object that has them is the module itself. */
type Spaces = ReadonlyMap<ObjectAtom["fields"], Module>;

type Search = { seen: Set<Atom>; spaces?: Spaces; met: Set<Module> };

const newSearch = (spaces?: Spaces): Search => ({
  seen: new Set(),
  met: new Set(),
  ...(spaces && { spaces }),
});

function reaches(value: Value, depth: number, search: Search): boolean {
  return value.some((atom): boolean => {
    if (atom.kind === "data" || atom.kind === "setter") return true;
    if (atom.kind === "text") return mentionsResource(atom.text);
    if (atom.kind === "function") return carriers.has(atom.code);
    if (depth === 0 || search.seen.has(atom)) return false;
    search.seen.add(atom);
    if (atom.kind === "reference") return reaches(atom.cell.value, depth, search);
    const object = atom.kind === "class" ? atom.instance : atom;
    if (object.kind !== "object") return false;
    const space = search.spaces?.get(object.fields);
    if (space) search.met.add(space);
    if (space) return false;
    const held = [object.element, ...object.fields.values()];
    return (
      reaches(object.beneath, depth, search) || held.some((cell) => reaches(cell.value, depth - 1, search))
    );
  });
}

/** Remembers a function that met V1, or that gives something of it. */
export function noteCarrier(code: FunctionCode, hasMet: boolean, given: Value): void {
  if (hasMet || reaches(given, maxInside, newSearch())) carriers.add(code);
}

/** Names of the module, and of the modules that it hands on whole, behind which V1 is. */
export function namesThrough(module: Module, modules: Iterable<Module>): Set<string> {
  const spaces: Spaces = new Map([...modules].map((other) => [other.exported.names, other]));
  const names = new Set<string>();
  const done = new Set([module]);
  // A set that grows while it is gone through.
  for (const { exported } of done) {
    for (const [name, { value }] of exported.names) {
      const search = newSearch(spaces);
      if (reaches(value, maxInside, search)) names.add(name);
      for (const met of search.met) done.add(met);
    }
  }
  return names;
}
