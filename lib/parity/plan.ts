// Compiles a mapping into comparisons: what to read from each side and which counter (slot) gets the result.

import { api, type EndpointId, endpoints, fieldOfRecord, idsOf } from "../contract/endpoints.ts";
import { templateVariables } from "../mapping/checks.ts";
import { isMapped, v1Fields } from "../mapping/fields.ts";
import {
  createNormalizer,
  itemsAt,
  type ListPath,
  memberAt,
  parsePath,
  splitAtList,
} from "../mapping/transform.ts";
import type { CompareMode, MappedRow, Mapping } from "../records/mapping.ts";
import { identityPath } from "./judge.ts";

/** V1's endpoints that are requested for one record. The list endpoint is not compared. */
const lookupEndpoints: readonly EndpointId[] = idsOf("single", "sublist");

type ReadValue = (value: unknown) => unknown;

export type Leaf = { slot: number; left: ReadValue; right: ReadValue; mode: CompareMode };

export type Comparison = { leftEndpoint: string; rightEndpoint: string } & (
  | ({ kind: "scalar" } & Leaf)
  | {
      kind: "list";
      slot: number;
      left: (body: unknown) => unknown[] | undefined;
      /** Returns a value that is not a list unchanged. */
      right: ReadValue;
      leaves: Leaf[];
    }
);

/** `id`: V2's id of a record. `names`: what names the person in both, such as an id that stays or a wallet. */
export type Identity = {
  id: { endpoint: string; read: ReadValue } | undefined;
  names: readonly Pick<Comparison & Leaf, "leftEndpoint" | "rightEndpoint" | "left" | "right">[];
};

export type ParityPlan = {
  /** The V1 path of each slot. */
  paths: string[];
  /** `raw` compares V1 with V2; `noise` compares V1 with a second read of V1. */
  raw: Comparison[];
  noise: Comparison[];
  /** One slot per V2 endpoint: whether V2 returns anything for a record that V1 has. */
  responseSlots: { endpoint: string; slot: number }[];
  /** The single record first. */
  v1Endpoints: [EndpointId, ...EndpointId[]];
  v2Endpoints: string[];
  /** Who a record is about, whatever else is compared. */
  identity: Identity;
  /** The template variables that the compared V2 endpoints need. */
  usedVariables: ReadonlySet<string>;
  requestsPerPair: { v1: number; v2: number };
};

type ComparableRow = { path: string; v1Endpoint: EndpointId; row: MappedRow };

function comparableRows(mapping: Mapping): ComparableRow[] {
  return v1Fields.flatMap(({ path, endpoint }) => {
    const row = mapping.fields[path];
    const v1Endpoint = lookupEndpoints.find((lookup) => lookup === endpoint);
    return v1Endpoint && row && isMapped(row) ? [{ path, v1Endpoint, row }] : [];
  });
}

const transformOf = (row: MappedRow) => (row.decision === "transformed" ? row.transform : undefined);
const changesLists = (row: MappedRow) =>
  ["array-to-scalar", "scalar-to-array"].includes(String(transformOf(row)));

/** Reads the value at a path; for a path through a list, the list of values. */
function createReader(path: string): ReadValue {
  const split = splitAtList(path);
  if (!split) {
    const names = parsePath(path).map(({ name }) => name);
    return (body) => memberAt(body, names);
  }
  return (body) => itemsAt(body, split)?.map((item) => memberAt(item, split.item));
}

const listKey = ({ path, row }: ComparableRow) =>
  [path.slice(0, path.indexOf("[]")), row.endpoint, row.path.slice(0, row.path.indexOf("]"))].join(" ");

export function planParity(mapping: Mapping): ParityPlan {
  const rows = comparableRows(mapping);
  const plan: Pick<ParityPlan, "paths" | "raw" | "noise"> = { paths: [], raw: [], noise: [] };
  // A V1 list that is mapped to two V2 lists is still one list, so both share its slot.
  const slotFor = (path: string) => {
    const known = plan.paths.indexOf(path);
    return known >= 0 ? known : plan.paths.push(path) - 1;
  };

  const lists = new Map<string, ComparableRow[]>();
  for (const comparable of rows) {
    if (comparable.path.includes("[]") && !changesLists(comparable.row)) {
      lists.set(listKey(comparable), [...(lists.get(listKey(comparable)) ?? []), comparable]);
    } else addScalar(plan, slotFor(comparable.path), comparable);
  }
  for (const group of lists.values()) addList(plan, slotFor, group);

  const v2Endpoints = [...new Set(rows.map(({ row }) => row.endpoint))];
  const usedVariables = v2Endpoints.flatMap((name) => {
    const { path = "", query = {} } = mapping.v2.endpoints[name] ?? {};
    const templates = [path, ...Object.values(query)].join(" ");
    return templateVariables.filter((variable) => templates.includes(`{${variable}}`));
  });
  // The record is always read, and first, because it contains the id and what is accepted in its place.
  const [single] = idsOf("single");
  const others = lookupEndpoints.filter(
    (endpoint) => endpoint !== single && rows.some(({ v1Endpoint }) => v1Endpoint === endpoint),
  );
  const v1Endpoints: ParityPlan["v1Endpoints"] = [single!, ...others];
  return {
    responseSlots: v2Endpoints.map((endpoint) => ({ endpoint, slot: slotFor(`(${endpoint})`) })),
    ...plan,
    v1Endpoints,
    v2Endpoints,
    identity: planIdentity(rows),
    usedVariables: new Set(usedVariables),
    requestsPerPair: { v1: 2 * v1Endpoints.length, v2: v2Endpoints.length },
  };
}

function planIdentity(rows: readonly ComparableRow[]): Identity {
  const id = rows.find(({ path }) => path === identityPath);
  const single = endpoints[idsOf("single")[0]!];
  const naming = new Set([
    identityPath,
    ...(api.sample.otherId?.fields ?? []).map((name) => fieldOfRecord(single, name)),
  ]);
  const names = rows.filter(
    ({ path, row }) => naming.has(path.replace(/\[\]$/, "")) && (row.compare ?? "value") === "value",
  );
  return {
    id: id && { endpoint: id.row.endpoint, read: createReader(id.row.path) },
    names: names.map(({ path, v1Endpoint, row }) => {
      const normalizer = createNormalizer(transformOf(row));
      const [left, right] = [createReader(path), createReader(row.path)];
      return {
        leftEndpoint: v1Endpoint,
        rightEndpoint: row.endpoint,
        left: (body) => normalizeIfPresent(normalizer.v1, left(body)),
        right: (body) => normalizeIfPresent(normalizer.v2, right(body)),
      };
    }),
  };
}

function addScalar(
  plan: Pick<ParityPlan, "raw" | "noise">,
  slot: number,
  { path, v1Endpoint, row }: ComparableRow,
): void {
  const normalizer = createNormalizer(transformOf(row));
  const [left, right] = [createReader(path), createReader(row.path)];
  const { compare: mode = "value" } = row;
  plan.raw.push({
    kind: "scalar",
    slot,
    leftEndpoint: v1Endpoint,
    rightEndpoint: row.endpoint,
    mode,
    left: (body) => normalizeIfPresent(normalizer.v1, left(body)),
    right: (body) => normalizeIfPresent(normalizer.v2, right(body)),
  });
  plan.noise.push({
    kind: "scalar",
    slot,
    leftEndpoint: v1Endpoint,
    rightEndpoint: v1Endpoint,
    mode,
    left,
    right: left,
  });
}

/** Keeps a missing value missing, so that no transform turns it into a value. */
const normalizeIfPresent = (normalizer: ReadValue, value: unknown) =>
  value === undefined ? undefined : normalizer(value);

function addList(
  plan: Pick<ParityPlan, "raw" | "noise">,
  slotFor: (path: string) => number,
  group: readonly ComparableRow[],
): void {
  const [first] = group;
  if (!first) return;
  const container = first.path.slice(0, first.path.indexOf("[]") + 2);
  const slot = slotFor(container);
  const [v1, v2] = [splitAtList(first.path), splitAtList(first.row.path)];
  if (!v1 || !v2) return;
  const left = (body: unknown) => itemsAt(body, v1);
  const leaves = group.map(({ path, row }) => {
    const normalizer = createNormalizer(transformOf(row));
    const [inV1, inV2] = [splitAtList(path)!.item, splitAtList(row.path)!.item];
    // The only leaf of a list of plain values is the list itself, so it has the list's slot.
    const leafSlot = slotFor(path);
    const { compare: mode = "value" } = row;
    const readV1 = (item: unknown) => memberAt(item, inV1);
    return {
      raw: {
        slot: leafSlot,
        mode,
        left: (item: unknown) => normalizeIfPresent(normalizer.v1, readV1(item)),
        right: (item: unknown) => normalizeIfPresent(normalizer.v2, memberAt(item, inV2)),
      },
      noise: { slot: leafSlot, mode, left: readV1, right: readV1 },
    };
  });
  const endpoints = { leftEndpoint: first.v1Endpoint, rightEndpoint: first.row.endpoint };
  plan.raw.push({
    kind: "list",
    ...endpoints,
    slot,
    left,
    right: (body) => itemsOrValue(body, v2),
    leaves: leaves.map(({ raw }) => raw),
  });
  plan.noise.push({
    kind: "list",
    ...endpoints,
    rightEndpoint: first.v1Endpoint,
    slot,
    left,
    right: (body) => itemsOrValue(body, v1),
    leaves: leaves.map(({ noise }) => noise),
  });
}

const itemsOrValue = (body: unknown, path: ListPath) => itemsAt(body, path) ?? memberAt(body, path.list);
