// The contract's fields, linked once into the table that the walker reads.
import { type EndpointId, endpointIds, endpoints } from "../../../../lib/contract/endpoints.ts";
import { type FieldType, fields, holderOf } from "../../../../lib/contract/fields.ts";
import type { GapId } from "../../../../lib/contract/gaps.ts";

/** What the walker collects beside the type: each is one gap's or the staleness's raw material. */
export type Collects = "nothing" | "timestamp" | "values" | "numbers" | "format" | "flag";

export type ShapeNode = {
  /** Slot in the tally. */
  index: number;
  /** Whose visits are this node's chances to be there. */
  parent: ShapeNode | undefined;
  name: string;
  /** Contract path with array positions collapsed: `passports[].score`. */
  path: string;
  type: FieldType;
  collects: Collects;
  gap: GapId | undefined;
  /** The values that the document shows as instances. */
  instances: ReadonlySet<string>;
  fields: ShapeNode[];
  known: Set<string>;
  element: ShapeNode | undefined;
  /** Problems here are of the envelope: without it there are no records at all. */
  isEnvelope: boolean;
};

export type Shape = {
  endpoint: EndpointId;
  root: ShapeNode;
  nodes: readonly ShapeNode[];
  /** Holds the records: an array, or the one record itself. */
  container: ShapeNode;
  timestamp: ShapeNode;
  flag: ShapeNode | undefined;
  numeric: readonly ShapeNode[];
  /** Whose values the document shows by instances only. */
  valued: readonly ShapeNode[];
  /** Whose words are counted: values, or names of formats. */
  worded: readonly ShapeNode[];
  /** Those that are evidence even where nothing is wrong. */
  telling: readonly ShapeNode[];
};

/** The path of the whole body, which has no name of its own. */
export const bodyPath = "(body)";

const collectsFor: Partial<Record<GapId, Collects>> = {
  "2.6-range": "numbers",
  "2.6-source": "values",
  "2.6-category": "values",
  "2.6-type": "values",
  "2.6-earned-at": "format",
  "3-states": "flag",
};

function compile(endpointId: EndpointId): Shape {
  const endpoint = endpoints[endpointId];
  const container = endpoint.records.replace("[]", "");
  const byPath = new Map<string, ShapeNode>();
  for (const { path, type, gap, examples } of fields[endpointId]) {
    const parent = path ? byPath.get(holderOf(path)) : undefined;
    const isElement = path.endsWith("[]");
    const node: ShapeNode = {
      index: byPath.size,
      parent,
      name: isElement ? "[]" : path.slice(path.lastIndexOf(".") + 1),
      path: path || bodyPath,
      type,
      collects: endpoint.timestamps.includes(path) ? "timestamp" : ((gap && collectsFor[gap]) ?? "nothing"),
      gap,
      instances: new Set(examples ?? []),
      fields: [],
      known: new Set(),
      element: undefined,
      isEnvelope: path === "" || path === container,
    };
    byPath.set(path, node);
    if (isElement && parent) parent.element = node;
    else if (parent) {
      parent.fields.push(node);
      parent.known.add(node.name);
    }
  }

  const nodes = [...byPath.values()];
  const root = byPath.get("");
  const timestamp = nodes.find((node) => node.collects === "timestamp");
  const holder = byPath.get(container);
  if (!root || !timestamp || !holder)
    throw new Error(`the row of ${endpointId} names no records or no timestamp`);
  const collecting = (what: Collects) => nodes.filter(({ collects }) => collects === what);
  return {
    endpoint: endpointId,
    root,
    nodes,
    container: holder,
    timestamp,
    flag: collecting("flag")[0],
    numeric: collecting("numbers"),
    valued: collecting("values"),
    worded: [...collecting("values"), ...collecting("format")],
    telling: nodes.filter(({ gap, type, parent }) => gap || (type === "object" && parent)),
  };
}

export const shapes = Object.fromEntries(endpointIds.map((id) => [id, compile(id)])) as Record<
  EndpointId,
  Shape
>;
