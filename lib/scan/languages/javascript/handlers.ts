// What frameworks do with a program's functions: handlers of a server, GraphQL resolvers, pages, tables.
import { callEach, functionsIn, give } from "../../flow/calls/callbacks.ts";
import { addRoute } from "../../flow/calls/routes.ts";
import type { FunctionCode } from "../../flow/code.ts";
import { noArguments, siteOf } from "../../flow/frame.ts";
import { enter, enterPath } from "../../flow/values/access.ts";
import type {
  Flow,
  Frame,
  Invocation,
  Module,
  ObjectAtom,
  TextAtom,
  Value,
} from "../../flow/values/atoms.ts";
import {
  dataOf,
  elementsOf,
  fillField,
  given,
  join,
  newObject,
  ofKind,
  remember,
  wrap,
} from "../../flow/values/values.ts";
import { loadersOf } from "../markup.ts";

/** Parameters that go from one handler to the next; of a context alone, of a request and a response together. */
const carrying = /^_?(req|request|res|response|reply|next|ctx|context|c|state|draft)$/;
const carryingAlone = /^_?(ctx|context|c|state|draft)$/;

const carriers = new WeakMap<Flow, ObjectAtom>();

/** One for all handlers of the tree; what is set on `res.locals` or `ctx.state` is theirs alone. */
export const carrierOf = (flow: Flow): ObjectAtom =>
  remember(carriers, flow, () => {
    const inner = ["locals", "state"].map(
      (name) => [name, { value: [{ ...newObject(), isWrapped: true }] }] as const,
    );
    return { ...newObject(), isWrapped: true, fields: new Map(inner) };
  });

/** What a parameter carries from one handler to the next; nothing where it is something else. */
export function carriedBy(code: FunctionCode, index: number, flow: Flow): Value {
  const names = code.params.map(({ name = "" }) => name);
  const isHandler =
    carryingAlone.test(names[index]!) || names.filter((name) => carrying.test(name)).length > 1;
  return carrying.test(names[index]!) && isHandler ? [carrierOf(flow)] : [];
}

// GraphQL: what the resolver of a field returns is the parent that its type's resolvers are given.
const roots = ["Query", "Mutation", "Subscription"];
const maxNested = 4;

/** A type is mostly called like the field: `builders` → `Builder`. */
const guessType = (field: string): string =>
  (field.charAt(0).toUpperCase() + field.slice(1)).replace(/(?:List|s)$/, "");

const single = (value: Value): Value => {
  const items = elementsOf(
    value.filter((atom) => (atom.kind === "data" ? atom.node.element !== undefined : true)),
  );
  return items.length > 0 ? items : value;
};

function resolveType(type: string, parent: Value, resolvers: ObjectAtom, depth: number, frame: Frame): void {
  const context = carrierOf(frame.flow);
  for (const { fields } of ofKind(resolvers.fields.get(type)?.value ?? [], "object")) {
    for (const [field, { value }] of fields) {
      const found = ofKind(value, "function").map((target) =>
        frame.flow.apply(
          target,
          given(parent, [], target.code.params[2]?.type ? [] : [context]),
          frame,
          target.code.line,
        ),
      );
      const result = single(join(...found));
      const of = guessType(field);
      if (result.length > 0 && depth < maxNested && of !== type)
        resolveType(of, result, resolvers, depth + 1, frame);
    }
  }
}

/** An object of resolvers, known by its root types. A server's `context` is what they are given. */
export function openResolvers(object: ObjectAtom, frame: Frame, line: number): void {
  const context = callEach(object.fields.get("context")?.value ?? [], [], frame, line);
  const carrier = carrierOf(frame.flow);
  carrier.beneath = join(carrier.beneath, ofKind(context, "object"));
  for (const root of roots) if (object.fields.has(root)) resolveType(root, [], object, 0, frame);
}

// Pages of web frameworks: a loader's result goes to the page component, which the framework calls.
const loaders = ["getServerSideProps", "getStaticProps", "loader", "clientLoader", "action"];

function loadedBy(names: readonly string[], module: Module, flow: Flow): Value {
  const functions = names.flatMap((name) => ofKind(module.exported.names.get(name)?.value ?? [], "function"));
  return join(...functions.map((target) => flow.apply(target, noArguments, module.frame, target.code.line)));
}

/** `getServerSideProps` → the default export's properties; SvelteKit's `load` beside a page → its `data`. */
export function feedPage(module: Module, flow: Flow): void {
  for (const from of loadersOf(module.file)) {
    const beside = flow.importModule(module, from);
    const loaded = beside ? loadedBy(["load"], beside, flow) : [];
    fillField({ fields: module.exported.names }, "data", loaded);
  }
  const pages = ofKind(module.exported.names.get("default")?.value ?? [], "function");
  if (pages.length === 0) return;
  const loaded = loadedBy(loaders, module, flow);
  const props = loaded.length > 0 ? enter(loaded, "props", module.frame, 0) : [];
  // Remix: the page's title is made of the same.
  for (const meta of ofKind(module.exported.names.get("meta")?.value ?? [], "function"))
    if (loaded.length > 0) flow.apply(meta, given(wrap(loaded)), module.frame, meta.code.line);
  for (const page of props.length > 0 ? pages : [])
    flow.apply(page, given(props), module.frame, page.code.line);
}

/** `useLoaderData()`: what the loader of the same file gave; `Route.useLoaderData()`: what the route's did. */
export function readLoaded(name: string, receiver: Value, { module }: Frame, flow: Flow): Value | undefined {
  if (!/^use(Loader|Action|RouteLoader)Data$/.test(name)) return undefined;
  const loaded = wrap(loadedBy(loaders, module, flow));
  return loaded.length > 0 ? loaded : receiver;
}

// Tables made by libraries: a list of V1's records, and beside it the names of the fields to show.
const maxTableDepth = 3;

/** Names that are written in a table, as `["score"]` or `[{ key: "score" }]`. */
const namesIn = (value: Value, depth: number): TextAtom[] =>
  value.flatMap((atom): TextAtom[] => {
    if (atom.kind === "text") return atom.via && atom.literals.length === 0 ? [atom] : [];
    if (atom.kind !== "object" || atom.isWrapped || depth === 0) return [];
    return [atom.element, ...atom.fields.values()].flatMap((cell) => namesIn(cell.value, depth - 1));
  });

const recordsIn = (value: Value): Value =>
  dataOf(elementsOf(value)).filter(({ node }) => node.children.size > 0 && node.path !== "");

/** Lists as arguments, and among the options: `{ data, columns }`. */
const listed = (value: Value): Value => [
  ...recordsIn(value),
  ...ofKind(value, "object").flatMap(({ fields, isTuple }) =>
    isTuple ? [] : [...fields.values()].flatMap((cell) => recordsIn(cell.value)),
  ),
];

/** What a table or a list asks for each of its rows. */
export const takesRow =
  /^(children|render\w*|component|cell|accessor\w*|get[A-Z]\w*|keyExtractor|itemKey|rowKey|valueGetter|sorter)$/;

export function readTable(values: readonly Value[], frame: Frame, line: number): void {
  const names = values.flatMap((value) => namesIn(value, maxTableDepth));
  const functions = values
    .flatMap((value) => functionsIn(value, "", maxTableDepth))
    .filter(({ name }) => takesRow.test(name));
  const records = names.length + functions.length > 0 ? values.flatMap(listed) : [];
  if (records.length === 0) return;
  for (const { text, via } of names) enterPath(records, { steps: text.split("."), via }, frame, line);
  for (const { target } of functions) give(target, wrap(records), frame, line);
}

/** `helper.accessor("score", { cell })`, `helper.display({ cell })`: a column of a table. */
export function makeColumn({ callee, name, args, line }: Invocation, frame: Frame): Value | undefined {
  if (callee.kind !== "member" || !/^(accessor|display)$/.test(name)) return undefined;
  const [first = []] = args.positional;
  const key = ofKind(first, "text").map((atom) => ({ ...atom, via: siteOf(frame, line) }));
  const options = args.positional.flatMap((value) => ofKind(value, "object"));
  const fields = new Map(options.flatMap((option) => [...option.fields]));
  fields.set("accessor", { value: [...key, ...ofKind(first, "function")] });
  return [{ ...newObject(), fields }];
}

const fileRoutes: readonly [path: RegExp, exported: string][] = [
  [/(?:^|\/)app\/(.*)\/route\.[jt]sx?$/, "GET"],
  [/(?:^|\/)pages\/(api\/.*?)(?:\/index)?\.[jt]sx?$/, "default"],
  [/(?:^|\/)routes\/(.*)\/\+server\.[jt]s$/, "GET"],
  [/(?:^|\/)server\/(api\/.*?)(?:\.get)?\.[jt]s$/, "default"],
  [/(?:^|\/)(api\/.*?)(?:\/index)?\.[jt]s$/, "default"],
];

/** Next.js, SvelteKit, Nuxt and Vercel: the path of a route is that of its file. */
export function addFileRoute({ file, exported }: Module, flow: Flow): void {
  for (const [form, name] of fileRoutes) {
    const [, path] = form.exec(file) ?? [];
    const handlers = ofKind(exported.names.get(name)?.value ?? [], "function");
    if (path !== undefined && handlers.length > 0) {
      addRoute(`/${path.replace(/\([^)]*\)\//g, "")}`, handlers, flow);
      return;
    }
  }
}
