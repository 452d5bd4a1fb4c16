// Runs the data-flow analysis over the modules of a tree. Every branch is taken, and every function is assumed
// to be called.
import { mentionsResource } from "../names/addresses.ts";
import { noteReturned } from "./calls/routes.ts";
import type { FunctionCode } from "./code.ts";
import { evaluateExpression } from "./expressions.ts";
import { newFrame, noArguments, siteOf } from "./frame.ts";
import { bindParameters } from "./statements/binding.ts";
import { runStatements } from "./statements/statements.ts";
import type { Arguments, Flow, Frame, FunctionAtom, Module, Sighting, Site, Value } from "./values/atoms.ts";
import { markOrigin } from "./values/origin.ts";
import { join, keyOf, listOf, newScope } from "./values/values.ts";

/** Calls inside calls; wrappers around wrappers are seldom deeper. */
const maxDepth = 14;
const maxNested = 3;

/** The same function, made in different calls of the one around it. */
const maxClosures = 3;

/** A text that comes back was only built there; who asks with it is still to be seen. */
const unmark = (value: Value, site: Site): Value =>
  value.map((atom) =>
    atom.kind === "text" && atom.via?.line === site.line && atom.via.file === site.file
      ? { ...atom, via: undefined }
      : atom,
  );

/** Several names of fields, each chosen where it is written down. */
const isTable = (value: Value): boolean =>
  value.length > 1 && value.every((atom) => atom.kind === "text" && atom.via !== undefined);

/** Calls of one function with other things than V1's; one more says nothing new. */
const maxWays = 12;

const concernsV1 = (value: Value, depth: number): boolean =>
  value.some((atom) => {
    if (atom.kind === "text") return mentionsResource(atom.text);
    if (atom.kind !== "object") return atom.kind !== "class" && atom.kind !== "status";
    const held = [atom.element, ...atom.fields.values()];
    return depth > 0 && held.some((cell) => concernsV1(cell.value, depth - 1));
  });

export type FlowOptions = {
  tell(sighting: Sighting): void;
} & Pick<Flow, "importModule" | "findTemplate" | "matcher" | "near" | "unaddressed" | "servesPath">;

export function startFlow({ tell, ...options }: FlowOptions): Flow {
  const active = new Map<FunctionCode, FunctionAtom[]>();

  /** One decorator around two functions runs inside itself; a recursion is the same function again. */
  function isRunning({ code, scope }: FunctionAtom): boolean {
    const running = active.get(code) ?? [];
    return running.length >= maxNested || running.some((other) => other.scope === scope);
  }

  function apply(target: FunctionAtom, args: Arguments, caller: Frame, line: number): Value {
    if (isRunning(target) || caller.depth > maxDepth) return [];
    // The names in a table: each is followed by itself.
    const table = args.positional.findIndex(isTable);
    const rows = args.positional[table] ?? [];
    if (rows.length > 0)
      return join(
        ...rows.map((row) =>
          apply(target, { ...args, positional: args.positional.with(table, [row]) }, caller, line),
        ),
      );
    const site = siteOf(caller, line);
    target.isFed ||= args.positional.some((value, index) =>
      value.some(
        ({ kind }) =>
          kind === "data" || kind === "foreign" || (kind === "object" && !target.code.params[index]?.type),
      ),
    );
    const marked: Arguments =
      args === noArguments
        ? args
        : {
            positional: args.positional.map((value) => markOrigin(value, site)),
            named: new Map([...args.named].map(([name, value]) => [name, markOrigin(value, site)])),
            ...(args.rest && { rest: markOrigin(args.rest, site) }),
          };
    const key = [
      `${flow.round}${args === noArguments ? "?" : ""}`,
      keyOf(marked.rest ?? []),
      ...marked.positional.map(keyOf),
      ...[...marked.named].map(([name, value]) => `${name}=${keyOf(value)}`),
    ].join(",");
    const isEnough = target.memo.size >= maxWays && !marked.positional.some((value) => concernsV1(value, 2));
    const known = target.memo.get(key) ?? (isEnough ? target.memo.values().next().value : undefined);
    if (known) {
      for (const endpoint of known.touched) caller.touched.add(endpoint);
      return known.value;
    }
    active.set(target.code, [...(active.get(target.code) ?? []), target]);
    const frame: Frame = {
      ...newFrame(target.module, newScope(target.scope), caller),
      self: target.self,
      inside: target.inside,
      code: target.code,
    };
    flow.running.push(target.code);
    try {
      bindParameters(target, marked, frame);
      runStatements(target.code.body, frame);
    } finally {
      flow.running.pop();
      active.set(target.code, active.get(target.code)!.slice(0, -1));
    }
    const { yieldsOnce, isGenerator } = target.code;
    const yielded = isGenerator && !yieldsOnce ? listOf(frame.yielded.value) : frame.yielded.value;
    const value = unmark(yieldsOnce || isGenerator ? yielded : frame.returned.value, site);
    noteReturned(value, [target.code], flow);
    if (frame.touched.size > 0) target.module.carries = true;
    target.memo.set(key, { value, touched: frame.touched });
    for (const endpoint of frame.touched) caller.touched.add(endpoint);
    return value;
  }

  function makeFunction(code: FunctionCode, frame: Frame, self?: Value, inside?: string): FunctionAtom {
    const atom: FunctionAtom = {
      kind: "function",
      code,
      module: frame.module,
      scope: frame.scope,
      self: self ?? frame.self,
      inside: inside ?? (code.name ? [frame.inside, code.name].filter(Boolean).join(".") : frame.inside),
      memo: new Map(),
      isFed: false,
    };
    const { pending } = frame.module;
    const others = pending.get(code) ?? [];
    if (others.length < maxClosures) pending.set(code, [...others, atom]);
    return atom;
  }

  const flow: Flow = {
    evaluate: (expression, frame) => evaluateExpression(expression, frame),
    run: (statements, frame) => runStatements(statements, frame),
    apply,
    makeFunction,
    ...options,
    tell,
    others: new Set(),
    literals: [],
    running: [],
    models: new Map(),
    attributes: new Map(),
    steps: 0,
    stepLimit: 0,
    start: "",
    cut: new Set(),
    round: 0,
  };
  return flow;
}

/** How far values are followed from one start; past the whole scan's share only what is near is seen. */
const maxSteps = { whole: 300_000, each: 10_000, late: 600, most: 400_000 };

/** All that a scan may spend on files that do not name V1 themselves. */
export const isSpent = ({ steps }: Flow): boolean => steps > maxSteps.most;

export function allowSteps(flow: Flow, file: string): void {
  flow.start = file;
  flow.stepLimit = flow.steps + (flow.steps < maxSteps.whole ? maxSteps.each : maxSteps.late);
}

/** Looks into functions that nobody called with anything known. */
export function runPending(module: Module, flow: Flow): void {
  const done = new Set<FunctionAtom>();
  module.language.beginModule?.(module, flow);
  for (let found = true; found; ) {
    found = false;
    for (const atom of [...module.pending.values()].flat()) {
      if (atom.isFed || done.has(atom)) continue;
      done.add(atom);
      found = true;
      allowSteps(flow, module.file);
      flow.apply(atom, noArguments, module.frame, atom.code.line);
    }
  }
  module.pending.clear();
}
