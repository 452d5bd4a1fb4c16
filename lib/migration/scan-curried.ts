// Functions made of functions: `prop("score")` waits for its subject, `pipe(f, g)` is one after the other.

import type { Value } from "./scan-atoms.ts";
import { callEach } from "./scan-callbacks.ts";
import type { Expression, FunctionCode } from "./scan-code.ts";
import type { Flow, Frame, Invocation } from "./scan-frame.ts";

/** No source code can have such a name. */
const subject = "<subject>";

const codes = new WeakMap<Expression, FunctionCode>();

function functionOf(
  place: Expression,
  body: (subject: Expression) => Expression,
  line: number,
): FunctionCode {
  const into = { kind: "name", name: subject, declares: true } as const;
  const code = codes.get(place) ?? {
    name: undefined,
    params: [{ into, name: subject, type: undefined, instead: undefined, isField: false }],
    body: [{ kind: "return", values: [body({ kind: "name", name: subject, line })], line }],
    isGenerator: false,
    line,
  };
  codes.set(place, code);
  return code;
}

const called = (callee: Expression, args: readonly Expression[], line: number): Expression => ({
  kind: "call",
  callee,
  args: args.map((value) => ({ name: undefined, value })),
  line,
});

/** The same call with its subject, for whoever gives one. */
export function curry(
  callee: Expression,
  args: readonly Expression[],
  line: number,
  frame: Frame,
  flow: Flow,
): Value | undefined {
  if (args.some((arg) => arg.kind === "name" && arg.name === subject)) return undefined;
  return [
    flow.makeFunction(
      functionOf(callee, (last) => called(callee, [...args, last], line), line),
      frame,
    ),
  ];
}

/** `Effect.map(f)`: an operator of a library does with the value what its function does. */
const functionsOf = (operator: Expression | undefined, frame: Frame, flow: Flow): Value =>
  operator?.kind === "call" ? operator.args.flatMap(({ value }) => flow.evaluate(value, frame)) : [];

const forward = /^(pipe|flow)$/;
const backward = /^(compose|flowRight)$/;

/** `pipe(value, f, g)` runs them; `flow(f, g)` and `compose(g, f)` are a function that will. */
export function composeFunctions(
  { callee, name, receiver, args, line }: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const [only] = source;
  if (name === "spread" && only && source.length === 1) {
    const apart = (last: Expression) => called(only, [{ kind: "spread", of: last, line }], line);
    return [flow.makeFunction(functionOf(callee, apart, line), frame)];
  }
  if (!(forward.test(name) || backward.test(name)) || (receiver?.length ?? 0) > 0) return undefined;
  const [given = [], ...rest] = args.positional;
  const first = given.filter(({ kind }) => kind !== "function");
  if (given.length > 0 && first.length === 0) {
    const order = backward.test(name) ? source.toReversed() : source;
    const all = (last: Expression) => order.reduce((inner, step) => called(step, [inner], line), last);
    return [flow.makeFunction(functionOf(callee, all, line), frame)];
  }
  if (first.length === 0 || rest.length === 0) return undefined;
  return rest.reduce<Value>((value, step, index) => {
    const functions = step.some(({ kind }) => kind === "function")
      ? step
      : functionsOf(source[index + 1], frame, flow);
    const result = callEach(functions, [value], frame, line, flow);
    return result.length > 0 ? result : value;
  }, first);
}
