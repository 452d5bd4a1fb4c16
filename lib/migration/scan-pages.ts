// Pages of web frameworks: a loader's result arrives at the page's component, though nobody in the tree calls either.
import { enter } from "./scan-access.ts";
import type { Value } from "./scan-atoms.ts";
import { type Flow, type Frame, type Module, noArguments } from "./scan-frame.ts";
import { join, ofKind, wrap } from "./scan-values.ts";

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
