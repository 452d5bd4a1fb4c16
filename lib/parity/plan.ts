// A mapping, compiled into what is read on each side of a comparison and where its result is counted.

import { variables } from "../mapping/checks.ts";
import { isPlaced, v1Fields } from "../mapping/fields.ts";
import { itemsAt, type ListPath, memberAt, parsePath, splitAtList } from "../mapping/path.ts";
import { createBridge } from "../mapping/transform.ts";
import type { Depth, Mapping, PlacedRow } from "../records/mapping.ts";

/** V1's endpoints that answer for one passport; the list has no pair to compare. */
export const lookupEndpoints = ["passport", "passport-credentials"] as const;
export type LookupEndpoint = (typeof lookupEndpoints)[number];

type Read = (value: unknown) => unknown;

export type Leaf = { slot: number; left: Read; right: Read; depth: Depth };

export type Comparison = { leftEndpoint: string; rightEndpoint: string } & (
  | ({ kind: "scalar" } & Leaf)
  | {
      kind: "list";
      slot: number;
      left: (body: unknown) => unknown[] | undefined;
      /** What is not a list comes as it is. */
      right: Read;
      leaves: Leaf[];
    }
);

export type ParityPlan = {
  /** The V1 path that each slot counts for. */
  paths: string[];
  /** V1 against V2, and V1 against V1. */
  raw: Comparison[];
  noise: Comparison[];
  /** Whether V2 answers at all for a passport that V1 has: its own slot for each endpoint. */
  answers: { endpoint: string; slot: number }[];
  v1Endpoints: LookupEndpoint[];
  v2Endpoints: string[];
  variables: ReadonlySet<string>;
  requestsPerPair: { v1: number; v2: number };
};

type Row = { path: string; v1Endpoint: LookupEndpoint; row: PlacedRow };

function comparableRows(mapping: Mapping): Row[] {
  return v1Fields.flatMap(({ path, endpoint }) => {
    const row = mapping.fields[path];
    const v1Endpoint = lookupEndpoints.find((one) => one === endpoint);
    return v1Endpoint && row && isPlaced(row) ? [{ path, v1Endpoint, row }] : [];
  });
}

const transformOf = (row: PlacedRow) => (row.decision === "transformed" ? row.transform : undefined);
const changesLists = (row: PlacedRow) =>
  ["array-to-scalar", "scalar-to-array"].includes(String(transformOf(row)));

/** A path's value; of a path through a list, the list of values. */
function reader(path: string): Read {
  const split = splitAtList(path);
  if (!split) {
    const names = parsePath(path).map(({ name }) => name);
    return (body) => memberAt(body, names);
  }
  return (body) => itemsAt(body, split)?.map((item) => memberAt(item, split.item));
}

const listKey = ({ path, row }: Row) =>
  [path.slice(0, path.indexOf("[]")), row.endpoint, row.path.slice(0, row.path.indexOf("]"))].join(" ");

export function planParity(mapping: Mapping): ParityPlan {
  const rows = comparableRows(mapping);
  const plan: Pick<ParityPlan, "paths" | "raw" | "noise"> = { paths: [], raw: [], noise: [] };
  // A list that is split over two of V2's is still one list: its slot is shared.
  const slotFor = (path: string) => {
    const known = plan.paths.indexOf(path);
    return known >= 0 ? known : plan.paths.push(path) - 1;
  };

  const lists = new Map<string, Row[]>();
  for (const one of rows) {
    if (one.path.includes("[]") && !changesLists(one.row)) {
      lists.set(listKey(one), [...(lists.get(listKey(one)) ?? []), one]);
    } else addScalar(plan, slotFor(one.path), one);
  }
  for (const group of lists.values()) addList(plan, slotFor, group);

  const v2Endpoints = [...new Set(rows.map(({ row }) => row.endpoint))];
  const used = v2Endpoints.flatMap((name) => {
    const { path = "", query = {} } = mapping.v2.endpoints[name] ?? {};
    const templates = [path, ...Object.values(query)].join(" ");
    return variables.filter((variable) => templates.includes(`{${variable}}`));
  });
  // The passport tells its wallet and its id, whatever else is compared.
  const v1Endpoints = lookupEndpoints.filter(
    (endpoint) => endpoint === "passport" || rows.some(({ v1Endpoint }) => v1Endpoint === endpoint),
  );
  return {
    answers: v2Endpoints.map((endpoint) => ({ endpoint, slot: slotFor(`(${endpoint})`) })),
    ...plan,
    v1Endpoints,
    v2Endpoints,
    variables: new Set(used),
    requestsPerPair: { v1: 2 * v1Endpoints.length, v2: v2Endpoints.length },
  };
}

function addScalar(
  plan: Pick<ParityPlan, "raw" | "noise">,
  slot: number,
  { path, v1Endpoint, row }: Row,
): void {
  const bridge = createBridge(transformOf(row));
  const [left, right] = [reader(path), reader(row.path)];
  const { compare: depth = "value" } = row;
  plan.raw.push({
    ...{ kind: "scalar", slot, leftEndpoint: v1Endpoint, rightEndpoint: row.endpoint, depth },
    left: (body) => through(bridge.v1, left(body)),
    right: (body) => through(bridge.v2, right(body)),
  });
  plan.noise.push({
    ...{ kind: "scalar", slot, leftEndpoint: v1Endpoint, rightEndpoint: v1Endpoint, depth },
    left,
    right: left,
  });
}

/** What is not there is not transformed into something. */
const through = (bridge: Read, value: unknown) => (value === undefined ? undefined : bridge(value));

function addList(
  plan: Pick<ParityPlan, "raw" | "noise">,
  slotFor: (path: string) => number,
  group: readonly Row[],
): void {
  const [first] = group;
  if (!first) return;
  const container = first.path.slice(0, first.path.indexOf("[]") + 2);
  const slot = slotFor(container);
  const [v1, v2] = [splitAtList(first.path), splitAtList(first.row.path)];
  if (!v1 || !v2) return;
  const left = (body: unknown) => itemsAt(body, v1);
  const leaves = group.map(({ path, row }) => {
    const bridge = createBridge(transformOf(row));
    const [inV1, inV2] = [splitAtList(path)?.item ?? [], splitAtList(row.path)?.item ?? []];
    // A list of plain values is its own only leaf.
    const own = path === container ? slot : slotFor(path);
    const { compare: depth = "value" } = row;
    const plain = (item: unknown) => memberAt(item, inV1);
    return {
      raw: {
        ...{ slot: own, depth },
        left: (item: unknown) => through(bridge.v1, plain(item)),
        right: (item: unknown) => through(bridge.v2, memberAt(item, inV2)),
      },
      noise: { slot: own, depth, left: plain, right: plain },
    };
  });
  const ends = { leftEndpoint: first.v1Endpoint, rightEndpoint: first.row.endpoint };
  plan.raw.push({
    ...{ kind: "list", ...ends, slot, left, right: (body) => itemsOrWhole(body, v2) },
    leaves: leaves.map(({ raw }) => raw),
  });
  plan.noise.push({
    ...{ kind: "list", ...ends, rightEndpoint: first.v1Endpoint, slot, left },
    right: (body) => itemsOrWhole(body, v1),
    leaves: leaves.map(({ noise }) => noise),
  });
}

const itemsOrWhole = (body: unknown, path: ListPath) => itemsAt(body, path) ?? memberAt(body, path.list);
