// V1's response bodies as a tree, to follow values by keys and into lists.
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import { type Field, fields, holderOf } from "../../contract/fields.ts";

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
  return build({ path: "", type: "object" }, "");
}

const lastName = (path: string) => path.slice(path.lastIndexOf(".") + 1);

export const bodies = Object.fromEntries(endpointIds.map((id) => [id, compile(id)])) as Record<
  EndpointId,
  FieldNode
>;

/** `humanCheckmark` and `HumanCheckmark` → `human_checkmark`, where decoders rename fields. */
export const toSnakeCase = (word: string) =>
  word.replace(/[A-Z]/g, (letter, at) => `${at > 0 ? "_" : ""}${letter.toLowerCase()}`);

/** The field under a key; where the code's own name is the key, decoders match it without regard to case. */
export const childFor = (node: FieldNode, key: string, name: string): FieldNode | undefined =>
  node.children.get(key) ?? (key === name ? node.children.get(key.toLowerCase()) : undefined);

/** A list of plain values is one field. */
export const fieldPath = ({ path, element }: FieldNode): string =>
  element && element.children.size === 0 ? element.path : path;

function listNodes(node: FieldNode): FieldNode[] {
  const inside = [...node.children.values(), ...(node.element ? [node.element] : [])];
  return [node, ...inside.flatMap(listNodes)];
}

export const allNodes: readonly FieldNode[] = endpointIds.flatMap((id) => listNodes(bodies[id]));

/** Names that hardly anything but V1 uses, so that one of them tells where a value came from. */
export const tellingNames: ReadonlySet<string> = new Set([
  ...["activity_score", "identity_score", "skills_score", "calculating_score", "connections_count"],
  ...["human_checkmark", "main_wallet", "verified_wallets", "passport_profile", "passport_socials"],
  "passport_credentials",
]);

/** Names that V1's documents share with few others: a sign only in a file that is V1's for another reason. */
export const distinctiveNames: ReadonlySet<string> = new Set([
  ...tellingNames,
  ...["passport_id", "last_calculated_at", "follower_count", "following_count", "earned_at", "max_score"],
  ...["profile_bio", "profile_display_name", "profile_image_url", "profile_name"],
]);

/**
 * Strings that hold a number, always or at times, which arithmetic mistakes for one; and V1's id, an integer, which no
 * successor promises.
 */
export function trapOf({ type, name }: FieldNode): "string-number" | "integer-id" | undefined {
  if (type === "string" && (name.endsWith("_count") || name === "value")) return "string-number";
  return type === "number" && name === "passport_id" ? "integer-id" : undefined;
}

/** What a default stands in for without a trace; an empty text shows as empty. */
export const hidesFailure = ({ type }: FieldNode) => type !== "string";

type Keyed = { key: string };

/** The object of V1 that a declared type describes, by its keys alone; undefined when it may be anything. */
export function matchShape(fields: readonly Keyed[]): FieldNode | undefined {
  let best: { node: FieldNode; share: number } | undefined;
  for (const node of allNodes) {
    if (node.children.size === 0 || node.path === "") continue;
    const known = fields.filter(({ key }) => node.children.has(key));
    const share = known.length / fields.length;
    const telling = known.filter(({ key }) => tellingNames.has(key) || key === "passport_id").length;
    // One telling name beside one that everybody uses may be a type of the team's own.
    const isTold = telling > 1 || (telling === 1 && known.length >= 3);
    const isProfile = node.name === "passport_profile" && known.length >= 3;
    const isSocial =
      node.name === "passport_socials" &&
      known.length >= 2 &&
      known.some(({ key }) => key.startsWith("profile_") || key.endsWith("_count"));
    if (known.length < 2 || share < 0.6 || !(isTold || isProfile || isSocial)) continue;
    // Between the list and the single passport the shorter path is the single one.
    if (!best || share > best.share || (share === best.share && node.endpoint === "passport"))
      best = { node, share };
  }
  return best?.node;
}

const records = allNodes.filter(({ children, path }) => children.size > 0 && path !== "");

/** An endpoint that is asked for, else the single passport. */
const rankOf = ({ endpoint }: FieldNode, asked: ReadonlySet<EndpointId>): number =>
  asked.has(endpoint) ? 2 : endpoint === "passport" ? 1 : 0;

/** The field that a name means. */
export const nodeNamed = (name: string, asked: ReadonlySet<EndpointId>): FieldNode | undefined =>
  allNodes.filter((node) => node.name === name).toSorted((a, b) => rankOf(b, asked) - rankOf(a, asked))[0];

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
