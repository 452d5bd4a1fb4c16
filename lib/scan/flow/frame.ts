// Shared types of the data-flow analysis: evaluation frames and sightings.
import type { EndpointId } from "../../contract/endpoints.ts";
import { bodies, childFor, fieldPath, tellingNames } from "../names/fields.ts";
import { unnamed } from "./code.ts";
import {
  type Arguments,
  type ClassAtom,
  type DataAtom,
  type Flow,
  type Frame,
  type HazardRule,
  type Met,
  type Module,
  metOf,
  type Scope,
  type Site,
} from "./values/atoms.ts";

export const noArguments: Arguments = { positional: [], named: new Map() };

export const siteOf = (frame: Frame, line: number): Site => ({
  file: frame.module.file,
  line,
  inside: frame.inside,
});

/** A guess whose path ends as one of V1's does needs less than a name that only V1 has. */
export const pathGuess = "path ";
/** What is only known by a type that an uncertain answer was decoded into proves nothing about the answer. */
export const learnedGuess = "type ";
const provenByPath = new Set(["score", "passport_id", "last_calculated_at", "follower_count", "max_score"]);

export function tellRead(frame: Frame, line: number, atom: DataAtom): void {
  const { node, guess, basis } = atom;
  if (basis !== "name") frame.touched.add(metOf(atom));
  const at = { ...siteOf(frame, line), endpoint: node.endpoint, guess, basis };
  const isProof =
    tellingNames.has(node.name) || (guess?.startsWith(pathGuess) && provenByPath.has(node.name));
  if (guess && isProof && !guess.startsWith(learnedGuess)) frame.flow.tell({ kind: "proof", ...at });
  if (node.isEnvelope) return;
  const field = fieldPath(node);
  frame.flow.tell({ kind: "read", ...at, field, name: node.name });
}

/** Keys that are the language's own or a library's, and no fields. */
const ownKeys = new Set([
  ...[Array, Object, String, Promise, Map].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
  ...["data", "body", "json", "text", "error", "status", "ok", "headers", "value", "current", "items", "get"],
  ...["copy", "update", "pop", "loading", "success", "message", "default", "next"],
]);

/** A field of a record that V1's document does not have. */
export function tellUndocumented(frame: Frame, line: number, atom: DataAtom, key: string): void {
  const { node, guess, basis } = atom;
  const isRecord = node.children.size > 0 && node.path !== "" && !node.element && !node.children.has(key);
  const isField = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(key) && !ownKeys.has(key);
  if (!isRecord || !isField || basis !== "flow" || frame.module.language.keys === "any-case") return;
  const at = { ...siteOf(frame, line), endpoint: node.endpoint, guess, basis };
  if (!atom.isWrapped && !frame.flow.models.has(node))
    frame.flow.tell({ kind: "undocumented", ...at, field: `${node.path}.${key}`, name: key });
}

/** A declared type that a response is decoded into needs its fields, whether they are read or not. */
export function tellDecoded(flow: Flow, type: ClassAtom, { node, guess, basis }: DataAtom): void {
  if (!type.isChecked || basis === "name") return;
  for (const { key, name, type: declared, line } of type.declared) {
    const child = childFor(node, key, name);
    if (child?.isEnvelope || anyType.test(declared)) continue;
    const inside = type.name.startsWith(unnamed) ? "" : type.name;
    const at = { file: type.file, line, inside, endpoint: node.endpoint, guess, basis };
    if (child) flow.tell({ kind: "decode", ...at, field: fieldPath(child), name: child.name });
    else if (node.path !== "" && /^[a-z][a-z0-9_]*$/.test(key))
      flow.tell({ kind: "undocumented", ...at, field: `${node.path}.${key}`, name: key });
  }
}

/** A field of one of these types takes whatever V1 sends. */
const anyType = /^(any|interface\{\}|Any|unknown|(json\.)?RawMessage|object|)$/;

export function tellHazard(frame: Frame, line: number, rule: HazardRule, atoms: readonly DataAtom[]): void {
  for (const { node, guess, basis } of atoms) {
    frame.flow.tell({ kind: "hazard", ...siteOf(frame, line), endpoint: node.endpoint, rule, guess, basis });
  }
}

export const tellEndpointHazard = (frame: Frame, line: number, rule: HazardRule, met: Iterable<Met>): void =>
  tellHazard(
    frame,
    line,
    rule,
    [...met].map((asked) => {
      const [endpoint = "", ...guess] = asked.split(" ");
      return {
        ...{ kind: "data", node: bodies[endpoint as EndpointId], basis: "flow" },
        guess: guess.length > 0 ? guess.join(" ") : undefined,
      };
    }),
  );

export function newFrame(module: Module, scope: Scope, parent?: Frame): Frame {
  return {
    flow: module.flow,
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
export function collectTouched(frame: Frame, work: () => void): Set<Met> {
  const before = frame.touched;
  const met = new Set<Met>();
  frame.touched = met;
  work();
  frame.touched = before;
  for (const endpoint of met) before.add(endpoint);
  return met;
}
