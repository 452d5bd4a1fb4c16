// Follows values through the modules of a tree: runs each module as if every branch happened, and
// every function as if someone called it.
import { mentionsResource } from "./consumer-paths.ts";
import { bindPattern, typedValue } from "./scan-binding.ts";
import type { FunctionCode } from "./scan-code.ts";
import { evaluateExpression } from "./scan-expressions.ts";
import {
  type Arguments,
  type Flow,
  type Frame,
  type Module,
  newFrame,
  noArguments,
  type Sighting,
  siteOf,
} from "./scan-frame.ts";
import { runStatements } from "./scan-statements.ts";
import { type FunctionAtom, join, keyOf, newObject, newScope, type Site, type Value } from "./scan-values.ts";

/** Calls inside calls; wrappers around wrappers are seldom deeper. */
const maxDepth = 14;

/** A path handed to a function is chosen where it is handed over. */
const markOrigin = (value: Value, site: Site): Value =>
  value.map((atom) =>
    atom.kind === "text" && !atom.via && mentionsResource(atom.text) ? { ...atom, via: site } : atom,
  );

function bindParameters(target: FunctionAtom, args: Arguments, frame: Frame, flow: Flow): void {
  const { code, self } = target;
  const { language } = frame.module;
  let params = code.params;
  if (
    language === "python" &&
    self.length > 0 &&
    params[0]?.type === undefined &&
    /^(self|cls)$/.test(params[0]?.name ?? "")
  ) {
    bindPattern(params[0]!.into, self, frame, flow);
    params = params.slice(1);
  }
  if (code.receiver?.name) frame.scope.names.set(code.receiver.name, { value: self });
  for (const name of code.results ?? []) frame.scope.names.set(name, { value: [] });
  params.forEach((param, index) => {
    let value = args.positional[index] ?? args.named.get(param.name ?? "") ?? [];
    if (value.length === 0 && param.instead) value = flow.evaluate(param.instead, frame);
    if (value.length === 0) value = typedValue(param.type, frame);
    bindPattern(param.into, value, frame, flow);
    if (!param.isField || !param.name) return;
    for (const atom of self) {
      if (atom.kind !== "object") continue;
      const cell = atom.fields.get(param.name) ?? { value: [] };
      atom.fields.set(param.name, cell);
      cell.value = join(cell.value, value);
    }
  });
}

export type FlowOptions = {
  importModule: Flow["importModule"];
  tell(sighting: Sighting): void;
};

export function startFlow({ importModule, tell }: FlowOptions): Flow {
  const active = new Set<FunctionCode>();

  function apply(target: FunctionAtom, args: Arguments, caller: Frame, line: number): Value {
    if (active.has(target.code) || caller.depth > maxDepth) return [];
    const site = siteOf(caller, line);
    const marked: Arguments = {
      positional: args.positional.map((value) => markOrigin(value, site)),
      named: new Map([...args.named].map(([name, value]) => [name, markOrigin(value, site)])),
    };
    const key = [
      ...marked.positional.map(keyOf),
      ...[...marked.named].map(([name, value]) => `${name}=${keyOf(value)}`),
    ].join(",");
    const known = target.memo.get(key);
    if (known) {
      for (const endpoint of known.touched) caller.touched.add(endpoint);
      return known.value;
    }
    active.add(target.code);
    const frame: Frame = {
      ...newFrame(target.module, newScope(target.scope), caller),
      self: target.self,
      inside: target.inside,
      code: target.code,
    };
    try {
      bindParameters(target, marked, frame, flow);
      runStatements(target.code.body, frame, flow);
    } finally {
      active.delete(target.code);
    }
    let value = frame.returned.value;
    if (target.code.isGenerator) {
      const list = newObject();
      list.element.value = frame.yielded.value;
      value = [list];
    }
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
    };
    frame.module.pending.set(code, atom);
    return atom;
  }

  const flow: Flow = {
    evaluate: (expression, frame) => evaluateExpression(expression, frame, flow),
    run: (statements, frame) => runStatements(statements, frame, flow),
    apply,
    makeFunction,
    importModule,
    tell,
    literals: [],
    steps: 0,
    round: 0,
  };
  return flow;
}

/** Looks into functions that nobody called with anything known. */
export function runPending(module: Module, flow: Flow): void {
  const done = new Set<FunctionCode>();
  for (let found = true; found; ) {
    found = false;
    for (const [code, atom] of module.pending) {
      if (done.has(code)) continue;
      done.add(code);
      found = true;
      flow.apply(atom, noArguments, module.frame, code.line);
    }
  }
  module.pending.clear();
}
