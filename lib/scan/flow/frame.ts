// Shared types of the data-flow analysis: evaluation frames and sightings.
import type { EndpointId } from "../../contract/endpoints.ts";
import { allNodes, bodies, type FieldNode, fieldPath, tellingNames } from "../names/fields.ts";
import type { Expression, FunctionCode, Statement } from "./code.ts";
import type {
  Basis,
  ClassAtom,
  DataAtom,
  Frame,
  FunctionAtom,
  Literal,
  Module,
  Scope,
  Site,
  Value,
} from "./values/atoms.ts";

export type { Frame, Module } from "./values/atoms.ts";

export const hazardRules = [
  "fallback-default",
  "catch-default",
  "status-default",
  "string-number",
  "integer-id",
] as const;
export type HazardRule = (typeof hazardRules)[number];

export type Sighting = Site & {
  endpoint: EndpointId;
  isSure: boolean;
  basis: Basis;
} & ({ kind: "call" } | { kind: "read"; field: string; name: string } | { kind: "hazard"; rule: HazardRule });

/** Everything mutual: the parts call each other through it. */
export type Flow = {
  evaluate(expression: Expression, frame: Frame): Value;
  run(statements: readonly Statement[], frame: Frame): void;
  apply(target: FunctionAtom, args: Arguments, frame: Frame, line: number): Value;
  /** The module of the tree that a file imports. */
  importModule(module: Module, specifier: string): Module | undefined;
  tell(sighting: Sighting): void;
  makeFunction(code: FunctionCode, frame: Frame, self?: Value, inside?: string): FunctionAtom;
  literals: Literal[];
  /** Classes that V1's values are decoded into. */
  models: Map<FieldNode, Set<ClassAtom>>;
  steps: number;
  stepLimit: number;
  /** The file from which values are being followed, and those where the steps ran out. */
  start: string;
  cut: Set<string>;
  /** Modules run twice: what one learns late, another knows the second time. */
  round: number;
};

export type Arguments = {
  positional: readonly Value[];
  named: ReadonlyMap<string, Value>;
  /** What a spread of unknown length may give to every further parameter. */
  rest?: Value;
};

export type Invocation = {
  callee: Expression;
  name: string;
  receiver: Value | undefined;
  args: Arguments;
  /** Endpoints met on the way to the receiver: a chain's rejection is theirs. */
  met: ReadonlySet<EndpointId>;
  line: number;
};

export const noArguments: Arguments = { positional: [], named: new Map() };

export const siteOf = (frame: Frame, line: number): Site => ({
  file: frame.module.file,
  line,
  inside: frame.inside,
});

export function tellRead(flow: Flow, frame: Frame, line: number, atom: DataAtom): void {
  const { node, isSure, basis } = atom;
  if (basis !== "name") frame.touched.add(node.endpoint);
  if (node.isEnvelope) return;
  const field = fieldPath(node);
  flow.tell({
    kind: "read",
    ...siteOf(frame, line),
    endpoint: node.endpoint,
    field,
    name: node.name,
    isSure,
    basis,
  });
}

export function tellHazard(
  flow: Flow,
  frame: Frame,
  line: number,
  rule: HazardRule,
  atoms: readonly DataAtom[],
): void {
  for (const { node, isSure, basis } of atoms) {
    flow.tell({ kind: "hazard", ...siteOf(frame, line), endpoint: node.endpoint, rule, isSure, basis });
  }
}

export const tellEndpointHazard = (
  flow: Flow,
  frame: Frame,
  line: number,
  rule: HazardRule,
  endpoints: Iterable<EndpointId>,
): void =>
  tellHazard(
    flow,
    frame,
    line,
    rule,
    [...endpoints].map((id) => ({ kind: "data", node: bodies[id], isSure: true, basis: "flow" })),
  );

/** A value of unknown origin with a name that only V1 gives. */
export function guessNode(key: string): FieldNode | undefined {
  return tellingNames.has(key)
    ? allNodes.find((node) => node.name === key && node.endpoint !== "passport-list")
    : undefined;
}

export function newFrame(module: Module, scope: Scope, parent?: Frame): Frame {
  return {
    module,
    scope,
    self: [],
    inside: "",
    code: undefined,
    returned: { value: [] },
    yielded: { value: [] },
    touched: new Set(),
    errors: new Map(),
    depth: parent ? parent.depth + 1 : 0,
    branches: 0,
    made: new Map(),
  };
}

/** The endpoints met during some work. */
export function collectTouched(frame: Frame, work: () => void): Set<EndpointId> {
  const before = frame.touched;
  const met = new Set<EndpointId>();
  frame.touched = met;
  work();
  frame.touched = before;
  for (const endpoint of met) before.add(endpoint);
  return met;
}
