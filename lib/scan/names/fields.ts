// V1's response bodies as a tree, to follow values by keys and into lists.

import { type EndpointId, endpointIds, endpoints, idsOf } from "../../contract/endpoints.ts";
import { type Field, fields, holderOf } from "../../contract/fields.ts";
import { distinctiveNames, integerIds, numbersAsText, tellingNames } from "../../contract/v1/code-names.ts";

export type FieldNode = {
  endpoint: EndpointId;
  name: string;
  /** As in the mapping: `passport.passport_socials[].source`, `passport.verified_wallets[]`; "" is the body. */
  path: string;
  type: "object" | "array" | "string" | "number" | "boolean";
  children: ReadonlyMap<string, FieldNode>;
  element: FieldNode | undefined;
  /** The body and what only wraps its records: to pass through it is not to read a field. */
  isEnvelope: boolean;
};

const plainTypes = { integer: "number", "date-time": "string" } as const;

function compile(endpoint: EndpointId): FieldNode {
  const { records } = endpoints[endpoint];
  const build = ({ path, type }: Field, name: string): FieldNode => {
    const inside = fields[endpoint].filter((field) => field.path && holderOf(field.path) === path);
    const [element] = inside.filter((field) => field.path.endsWith("[]"));
    const named = element ? [] : inside.map((field) => ({ field, key: lastName(field.path) }));
    return {
      endpoint,
      name,
      path,
      type: type === "integer" || type === "date-time" ? plainTypes[type] : type,
      children: new Map(named.map(({ field, key }) => [key, build(field, key)])),
      element: element && build(element, name),
      isEnvelope: path === "" || path === records || `${path}[]` === records,
    };
  };
  return build(fields[endpoint].find(({ path }) => path === "")!, "");
}

const lastName = (path: string) => path.slice(path.lastIndexOf(".") + 1);

export const bodies = Object.fromEntries(endpointIds.map((id) => [id, compile(id)])) as Record<
  EndpointId,
  FieldNode
>;

/** `humanCheckmark`, `HumanCheckmark` and `PassportID` → `human_checkmark`, `passport_id`: decoders rename fields. */
export const toSnakeCase = (word: string) => word.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

/** A list of plain values is one field. */
export const fieldPath = ({ path, element }: FieldNode): string =>
  element && element.children.size === 0 ? element.path : path;

function listNodes(node: FieldNode): FieldNode[] {
  const inside = [...node.children.values(), ...(node.element ? [node.element] : [])];
  return [node, ...inside.flatMap(listNodes)];
}

export const allNodes: readonly FieldNode[] = endpointIds.flatMap((id) => listNodes(bodies[id]));

/** Texts that hold a number, which arithmetic mistakes for one; and V1's id, an integer, which no successor promises. */
export function trapOf({ type, name }: FieldNode): "string-number" | "integer-id" | undefined {
  if (type === "string" && numbersAsText.has(name)) return "string-number";
  return type === "number" && integerIds.has(name) ? "integer-id" : undefined;
}

/** What a default stands in for without a trace; an empty text shows as empty. */
export const hidesFailure = ({ type }: FieldNode) => type !== "string";

const singleIds = new Set<EndpointId>(idsOf("single"));

/** An endpoint that is asked for, else the one of a single record. */
const rankOf = ({ endpoint }: FieldNode, asked: ReadonlySet<EndpointId>): number =>
  (asked.has(endpoint) ? 2 : 0) + (singleIds.has(endpoint) ? 1 : 0);

/** By paginated list: the fields with the number of the current and of the last page, and the object that holds both. */
export const pageNumbers = endpointIds.flatMap((id) => {
  const { pagination } = endpoints[id];
  if (!pagination) return [];
  const { currentPage, lastPage } = pagination;
  return [{ holder: lastName(holderOf(lastPage)), current: lastName(currentPage), last: lastName(lastPage) }];
});

const objects = allNodes.filter(({ children }) => children.size > 0);
const noneAsked: ReadonlySet<EndpointId> = new Set();

/** Whether an object with these keys of V1 is V1's, or may be anybody's. */
function isEvident(
  node: FieldNode,
  known: readonly string[],
  keys: readonly string[],
  isAsked: boolean,
): boolean {
  if (node.path === "" && endpoints[node.endpoint].records !== "") {
    const envelopes = known.filter((key) => node.children.get(key)?.isEnvelope);
    return envelopes.length > 0 && keys.length <= 4;
  }
  const share = known.length / keys.length;
  const telling = known.filter((key) => tellingNames.has(key)).length;
  const distinctive = known.filter((key) => distinctiveNames.has(key)).length;
  if (telling > 1 || (telling === 1 && known.length > 1)) return share >= 0.5;
  // Other APIs have such names, too: only where V1 is called.
  if (distinctive > 0 && known.length > 1) return isAsked && share >= 0.6;
  // A part of a record, such as its profile, has names that everybody uses: most of them are needed.
  return !node.isEnvelope && known.length >= 3 && share >= 0.75;
}

/** The object of V1 that a declared type describes, by its keys alone; undefined when it may be anything. */
export function matchShape(
  keys: readonly string[],
  asked: ReadonlySet<EndpointId> = noneAsked,
): FieldNode | undefined {
  return objects
    .map((node) => ({ node, known: keys.filter((key) => node.children.has(key)) }))
    .filter(({ node, known }) => known.length > 0 && isEvident(node, known, keys, asked.size > 0))
    .sort((a, b) => b.known.length - a.known.length || rankOf(b.node, asked) - rankOf(a.node, asked))[0]
    ?.node;
}

/** The field that a name means. */
export const nodeNamed = (name: string, asked: ReadonlySet<EndpointId>): FieldNode | undefined =>
  allNodes.filter((node) => node.name === name).toSorted((a, b) => rankOf(b, asked) - rankOf(a, asked))[0];

const records = objects.filter(({ endpoint, path }) => path !== "" || endpoints[endpoint].records === "");

/** The record with the most of these fields, one of which must be a telling one; rather of an endpoint that is asked for. */
export function recordWith(
  keys: readonly string[],
  telling: ReadonlySet<string>,
  asked: ReadonlySet<EndpointId>,
): FieldNode | undefined {
  return records
    .map((node) => ({ node, known: keys.filter((key) => node.children.has(key)) }))
    .filter(({ known }) => known.some((key) => telling.has(key)))
    .sort((a, b) => b.known.length - a.known.length || rankOf(b.node, asked) - rankOf(a.node, asked))[0]
    ?.node;
}
