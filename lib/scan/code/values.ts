// What can be read from a value, and whether V1's data is in it.
import { type FieldNode, toSnakeCase } from "../names/fields.ts";
import type { Origin, Value } from "./source-file.ts";

/** Keys under which libraries hand on the body of a response, or the value of a state. */
const wrapperKeys = new Set(
  "data body json value current result results payload response Body content props attributes state latest text".split(
    " ",
  ),
);

/** A part of V1's response, with what its declared type says about its names. */
function partOf(node: FieldNode, origin: Origin | undefined, declared: Value | undefined): Value {
  const list =
    declared?.list && node.element
      ? { node: node.element, origin, shape: declared.list.shape, list: declared.list.list }
      : undefined;
  return { node, origin, shape: declared?.shape, list };
}

/** What is known from the flow, with the names of a declared type. */
export function withShape(value: Value | undefined, declared: Value | undefined): Value | undefined {
  if (!declared) return value;
  if (!value) return declared;
  if (value.node) return declared.shape || declared.list ? partOf(value.node, value.origin, declared) : value;
  if (value.list?.node && declared.list)
    return { list: partOf(value.list.node, value.list.origin, declared.list) };
  const isKnown = value.members || value.items || value.list || value.fn;
  return isKnown && !((value.members || value.fn) && carriesV1(declared)) ? value : declared;
}

function childOf({ node, origin, shape }: Value, key: string): Value | undefined {
  const member = shape?.members.get(key);
  const declared = member?.type();
  const children = node?.children;
  // Decoders and libraries rename keys to the language's own style.
  const child =
    children?.get(member?.key ?? key) ?? (/[A-Z]/.test(key) ? children?.get(toSnakeCase(key)) : undefined);
  if (child) return partOf(child, origin, declared);
  return declared;
}

/** The value under a key. */
export function access(value: Value | undefined, key: string): Value | undefined {
  if (!value || value.isForeign) return value;
  const own = value.members?.get(key) ?? access(value.spread, key);
  if (own) return own;
  const child = childOf(value, key);
  if (child) return child;
  const { node, origin } = value;
  // A wrapper may have taken the record out of the body.
  if (node?.path === "")
    for (const envelope of node.children.values())
      if (envelope.isEnvelope && envelope.children.size > 0) {
        const unwrapped = childOf({ node: envelope, origin }, key);
        if (unwrapped) return unwrapped;
      }
  const isHandedOn = node?.children.size !== 0 || value.list !== undefined || value.items !== undefined;
  return wrapperKeys.has(key) && isHandedOn && (node || value.list || value.items) ? value : undefined;
}

/** An item of a list. */
export function elementOf(value: Value | undefined): Value | undefined {
  if (!value || value.isForeign) return value;
  if (value.list) return value.list;
  if (value.items) return value.items.find((item) => item !== undefined);
  const { node, origin } = value;
  // A wrapper may have taken the list out of the body.
  const list =
    node?.path === "" && !node.element ? [...node.children.values()].find(({ element }) => element) : node;
  return list?.element && { node: list.element, origin };
}

const maxDepth = 4;

/** Whether V1's data is in a value. */
export function carriesV1(value: Value | undefined, depth = 0): boolean {
  if (!value || depth > maxDepth) return false;
  if (value.node) return true;
  return (
    carriesV1(value.list, depth + 1) ||
    carriesV1(value.spread, depth + 1) ||
    (value.items ?? []).some((item) => carriesV1(item, depth + 1)) ||
    [...(value.members?.values() ?? [])].some((member) => carriesV1(member, depth + 1))
  );
}

/** The part of V1's response that a value is, or that it is a list of. */
export const nodeOf = (value: Value | undefined): Value | undefined =>
  value?.node ? value : value?.list?.node ? value.list : undefined;
