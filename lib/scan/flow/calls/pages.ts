// Pages of web frameworks: connects a loader's result to the page component, which the framework calls.

import { type Flow, type Frame, type Module, noArguments } from "../frame.ts";
import { enter } from "../values/access.ts";
import type { TextAtom, Value } from "../values/atoms.ts";
import { atCaller } from "../values/origin.ts";
import { dataOf, dereference, elementsOf, join, ofKind, wrap } from "../values/values.ts";

const loaders = ["getServerSideProps", "getStaticProps", "loader", "clientLoader", "action"];

function loadedBy(names: readonly string[], module: Module, flow: Flow): Value {
  const functions = names.flatMap((name) => ofKind(module.exported.names.get(name)?.value ?? [], "function"));
  return join(...functions.map((target) => flow.apply(target, noArguments, module.frame, target.code.line)));
}

/** `getServerSideProps` → the default export's properties. */
export function feedPage(module: Module, flow: Flow): void {
  const pages = ofKind(module.exported.names.get("default")?.value ?? [], "function");
  if (module.language !== "javascript" || pages.length === 0) return;
  const loaded = loadedBy(loaders, module, flow);
  const props = loaded.length > 0 ? enter(loaded, "props", module.frame, 0, flow) : [];
  // Remix: the page's title is made of the same.
  for (const meta of ofKind(module.exported.names.get("meta")?.value ?? [], "function"))
    if (loaded.length > 0)
      flow.apply(meta, { positional: [wrap(loaded)], named: new Map() }, module.frame, meta.code.line);
  for (const page of props.length > 0 ? pages : [])
    flow.apply(page, { positional: [props], named: new Map() }, module.frame, page.code.line);
}

/** `useLoaderData()`: what the loader of the same file gave; `Route.useLoaderData()`: what the route's did. */
export function readLoaded(name: string, receiver: Value, { module }: Frame, flow: Flow): Value | undefined {
  if (!/^use(Loader|Action|RouteLoader)Data$/.test(name)) return undefined;
  const loaded = wrap(loadedBy(loaders, module, flow));
  return loaded.length > 0 ? loaded : receiver;
}

// Tables made by libraries: a list of V1's records, and beside it the names of the fields to show.
const maxNested = 3;

/** Names that are written in a table, as `["score"]` or `[{ key: "score" }]`. */
const namesIn = (value: Value, depth: number): TextAtom[] =>
  value.flatMap((atom): TextAtom[] => {
    if (atom.kind === "text") return atom.via && atom.literals.length === 0 ? [atom] : [];
    if (atom.kind !== "object" || atom.isWrapped || atom.isInstance || depth === 0) return [];
    return [atom.element, ...atom.fields.values()].flatMap((cell) => namesIn(cell.value, depth - 1));
  });

const recordsIn = (value: Value): Value =>
  dataOf(elementsOf(value)).filter(({ node }) => node.children.size > 0 && node.path !== "");

/** Lists as arguments, and among the options: `{ data, columns }`. */
const listed = (value: Value): Value => [
  ...recordsIn(value),
  ...ofKind(dereference(value), "object").flatMap(({ fields, isTuple }) =>
    isTuple ? [] : [...fields.values()].flatMap((cell) => recordsIn(cell.value)),
  ),
];

export function readTable(given: readonly Value[], frame: Frame, line: number, flow: Flow): void {
  if (frame.module.language !== "javascript") return;
  const names = given.flatMap((value) => namesIn(value, maxNested));
  const records = names.length > 0 ? given.flatMap(listed) : [];
  for (const { text, via } of records.length > 0 ? names : []) {
    const at = atCaller(frame, line, via);
    text
      .split(".")
      .reduce<Value>(
        (value, key) => (value.length > 0 ? enter(value, key, at.frame, at.line, flow) : []),
        records,
      );
  }
}
