// The contract's zod schemas, flattened once into the table that the walker reads. zod stays the
// one place where the contract is written; this is only a faster way to look at it.
import type * as z from "zod";
import { type EndpointId, endpointIds, endpoints } from "../contract/endpoints.ts";
import type { GapId } from "../contract/gaps.ts";

export type NodeType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "date-time";

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
  type: NodeType;
  collects: Collects;
  gap: GapId | undefined;
  /** The values that the document shows as instances. */
  instances: ReadonlySet<string>;
  fields: readonly ShapeNode[];
  known: ReadonlySet<string>;
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

function nodeType(schema: z.ZodType): NodeType {
  const def = schema.def as unknown as { type: string; format?: string };
  if (def.type === "string" && def.format === "datetime") return "date-time";
  if (def.type === "number" && def.format === "safeint") return "integer";
  if (["object", "array", "string", "number", "boolean"].includes(def.type)) return def.type as NodeType;
  throw new Error(`the contract uses a ${def.type} schema, which the walker does not know`);
}

function compile(endpointId: EndpointId): Shape {
  const endpoint = endpoints[endpointId];
  const container = endpoint.records.replace("[]", "");
  const nodes: ShapeNode[] = [];

  function visit(schema: z.ZodType, name: string, path: string, parent?: ShapeNode): ShapeNode {
    const type = nodeType(schema);
    const meta = (schema.meta() ?? {}) as { "x-gap"?: GapId; examples?: string[] };
    const gap = meta["x-gap"];
    const node: ShapeNode = {
      index: nodes.length,
      parent,
      name,
      path,
      type,
      collects: endpoint.timestamps.includes(path) ? "timestamp" : ((gap && collectsFor[gap]) ?? "nothing"),
      gap,
      instances: new Set(meta.examples ?? []),
      fields: [],
      known: new Set(),
      element: undefined,
      isEnvelope: path === bodyPath || path === container,
    };
    nodes.push(node);
    if (type === "object") {
      const { shape } = (schema as z.ZodObject).def;
      const prefix = path === bodyPath ? "" : `${path}.`;
      node.fields = Object.entries(shape).map(([key, field]) =>
        visit(field as z.ZodType, key, prefix + key, node),
      );
      node.known = new Set(Object.keys(shape));
    } else if (type === "array") {
      node.element = visit((schema as z.ZodArray).def.element as z.ZodType, "[]", `${path}[]`, node);
    }
    return node;
  }

  const root = visit(endpoint.response, "", bodyPath);
  const timestamp = nodes.find((node) => node.collects === "timestamp");
  const holder = nodes.find((node) => node.path === container);
  if (!timestamp || !holder) throw new Error(`the row of ${endpointId} names no records or no timestamp`);
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
