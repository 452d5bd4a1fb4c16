// GraphQL: what the resolver of a field returns is the parent that its type's resolvers are given.
import type { ObjectAtom, Value } from "./scan-atoms.ts";
import type { Flow, Frame } from "./scan-frame.ts";
import { carrierOf } from "./scan-handlers.ts";
import { elementsOf } from "./scan-items.ts";
import { join, ofKind } from "./scan-values.ts";

const roots = ["Query", "Mutation", "Subscription"];
const maxNested = 4;

const schemas = new WeakMap<Flow, Map<string, string>>();

/** Remembers which type each field has, from a schema that is written in the source. */
export function readSchema(text: string, flow: Flow): void {
  if (!/\btype\s+\w+[^{}]*\{/.test(text) || text.length > 50_000) return;
  const known = schemas.get(flow) ?? new Map<string, string>();
  schemas.set(flow, known);
  for (const [, type, body = ""] of text.matchAll(/\btype\s+(\w+)[^{}]*\{([^{}]*)\}/g)) {
    for (const [, field, of = ""] of body.matchAll(/(\w+)\s*(?:\([^()]*\))?\s*:\s*\[?\s*(\w+)/g))
      known.set(`${type}.${field}`, of);
  }
}

/** Without a schema a type is called like the field: `builders` → `Builder`. */
const guessType = (field: string): string =>
  (field.charAt(0).toUpperCase() + field.slice(1)).replace(/(?:List|s)$/, "");

const single = (value: Value): Value => {
  const items = elementsOf(
    value.filter((atom) => (atom.kind === "data" ? atom.node.element !== undefined : true)),
  );
  return items.length > 0 ? items : value;
};

function resolveType(
  type: string,
  parent: Value,
  resolvers: ObjectAtom,
  depth: number,
  frame: Frame,
  flow: Flow,
): void {
  const context = carrierOf("context", flow);
  for (const { fields } of ofKind(resolvers.fields.get(type)?.value ?? [], "object")) {
    for (const [field, { value }] of fields) {
      const found = ofKind(value, "function").map((target) =>
        flow.apply(
          target,
          { positional: [parent, [], target.code.params[2]?.type ? [] : [context]], named: new Map() },
          frame,
          target.code.line,
        ),
      );
      const result = single(join(...found));
      const of = schemas.get(flow)?.get(`${type}.${field}`) ?? guessType(field);
      if (result.length > 0 && depth < maxNested && of !== type)
        resolveType(of, result, resolvers, depth + 1, frame, flow);
    }
  }
}

/** An object of resolvers, known by its root types. */
export function openResolvers(object: ObjectAtom, frame: Frame, flow: Flow): void {
  if (frame.module.language !== "javascript") return;
  for (const root of roots) if (object.fields.has(root)) resolveType(root, [], object, 0, frame, flow);
}
