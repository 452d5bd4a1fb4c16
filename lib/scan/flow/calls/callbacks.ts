// Callbacks passed to code outside the tree: which ones produce a value and which ones receive it.

import type { Expression } from "../code.ts";
import { noArguments, tellEndpointHazard } from "../frame.ts";
import { swallows } from "../hazards.ts";
import type { Arguments, Frame, FunctionAtom, Invocation, Value } from "../values/atoms.ts";
import { dataOf, elementsOf, fill, given, isBody, join, ofKind, wrap } from "../values/values.ts";
import { isClient } from "./requests.ts";

const takes =
  /^(select|combine|transform\w*|normali[sz]e\w*|map[A-Z]\w*|on[A-Z]\w*|success|done|next|complete\w*|get(Next|Previous)PageParam|tap|update)$/;
const reshapes = /^(select|combine|transform\w*|normali[sz]e\w*|map[A-Z]\w*)$/;
/** `(error, body) =>`, `(index, item) =>`, `(state, action) =>`: what comes first is not the value. */
const notTheValue = /^_*(e|er|err|error|i|idx|index|k|key|state|draft|acc)?_*$/;

type Handed = { name: string; target: FunctionAtom };

export function functionsIn(value: Value, name: string, depth: number): Handed[] {
  return value.flatMap((atom): Handed[] => {
    if (atom.kind === "function") return [{ name, target: atom }];
    // A client's own methods are not options.
    if (atom.kind !== "object" || atom.isWrapped || depth === 0) return [];
    return [
      ...[...atom.fields].flatMap(([key, cell]) =>
        functionsIn(cell.value, atom.isTuple ? name : key, depth - 1),
      ),
      ...functionsIn(atom.element.value, name, depth - 1),
    ];
  });
}

/** As arguments: `useSWR(key, load)`; in options: `{ queryFn: load }`, `{ queries: [{ queryFn }] }`. */
const handedFunctions = ({ positional, named }: Arguments, { module }: Frame): Handed[] => [
  // Where modules and instances are handed over, their functions are no options.
  ...positional.flatMap((value) => functionsIn(value, "", module.language.callbackDepth)),
  ...[...named].flatMap(([name, value]) =>
    functionsIn(value, name, Math.min(module.language.callbackDepth, 1)),
  ),
];

export function argumentsFor({ code }: FunctionAtom, value: Value): Arguments {
  const [first, ...others] = code.params;
  const skips = others.length > 0 && notTheValue.test(first?.name ?? "value");
  return skips ? given([], ...others.map(() => value)) : given(value);
}

export const give = (target: FunctionAtom, value: Value, frame: Frame, line: number): Value =>
  frame.flow.apply(target, value.length > 0 ? argumentsFor(target, value) : noArguments, frame, line);

export const callEach = (functions: Value, values: readonly Value[], frame: Frame, line: number): Value =>
  join(
    ...functions.map((target): Value => {
      // `.then(setPassport)`
      if (target.kind === "setter" && !target.through) fill(target.cell, values[0] ?? []);
      if (target.kind !== "function") return [];
      return frame.flow.apply(target, given(...values), frame, line);
    }),
  );

/** An answer goes to every callback beside its request; `select` and the like make something else of it. */
export function giveAnswer(args: Arguments, answer: Value, frame: Frame, line: number): Value {
  let value = answer;
  for (const { name, target } of handedFunctions(args, frame)) {
    const result = give(target, value, frame, line);
    if (reshapes.test(name) && result.length > 0) value = wrap(result);
  }
  return value;
}

export const isListed = (atom: Value[number]) =>
  atom.kind === "object"
    ? atom.isTuple || atom.isWrapped || atom.element.value.length > 0
    : atom.kind === "data" && (atom.isWrapped || !isBody(atom));

/** Clients among the options: what is defined beside one, asks through it. */
const clientsIn = (value: Value): Value =>
  ofKind(value, "object").flatMap(({ fields }) =>
    [...fields.values()].flatMap((cell) => cell.value.filter((atom) => isClient([atom]))),
  );

export const isKept = ({ kind }: Value[number]) => kind === "data" || kind === "object" || kind === "foreign";

/** What a function outside the tree makes of an answer is most likely still the answer, less surely. */
const handedOn = ({ positional }: Arguments, { module }: Frame): Value =>
  positional.flatMap((value) => {
    const data = dataOf(value).filter((atom) => isBody(atom) || atom.isWrapped);
    const kept: Value = data.map((atom) => (atom.isWrapped ? atom : { ...atom, basis: "type" }));
    if (module.language.callbackDepth === 0) return kept;
    // `inject(Service)`, `container.resolve(Service)`: one of the class; `retry(client)`: still the client.
    const made = ofKind(value, "class").map(({ instance }) => instance);
    return [
      ...kept,
      ...made,
      ...ofKind(value, "object").filter((atom) => atom.isWrapped || isClient([atom])),
    ];
  });

/** A single value, such as the id in a query's key, is no answer. */
const isAnswer = (atom: Value[number]) =>
  atom.kind !== "data" || atom.node.children.size > 0 || atom.node.element !== undefined;

/** `{ queries: [first, second] }`: what was made earlier, among the options. */
const madeBefore = (value: Value, depth: number): Value =>
  ofKind(value, "object").flatMap(({ fields, element, beneath, isWrapped }) =>
    depth === 0
      ? []
      : [{ value: isWrapped ? [] : beneath }, element, ...fields.values()].flatMap((cell) => [
          ...dataOf(cell.value).filter((atom) => atom.isWrapped && isAnswer(atom)),
          ...madeBefore(cell.value, depth - 1),
        ]),
  );

/** As a callback is given it; of many pages there is one thing that has them all. */
const unboxed = (made: Value): Value =>
  made.flatMap((atom): Value => {
    if (atom.kind !== "data") return [atom];
    const { isWrapped: _, ...bare } = atom;
    return isBody(atom) ? wrap([atom]) : [bare];
  });

/** `retry(load)`, `useQuery({ queryFn: load })`, `memoize(load)`: what the callback makes, wrapped or still to be called. */
export function callOutside(args: Arguments, frame: Frame, line: number): Value {
  const handed = handedFunctions(args, frame);
  const passed = handedOn(args, frame);
  if (handed.length === 0) return passed;
  const elements = join(
    ...args.positional.map((value) => join(elementsOf(value.filter(isListed)), clientsIn(value))),
  );
  let made = join(...args.positional.map((value) => madeBefore(value, 2)));
  for (const { name, target } of handed) {
    if (takes.test(name)) continue;
    made = join(made, give(target, elements, frame, line).filter(isKept));
  }
  for (const { name, target } of handed) {
    if (!takes.test(name)) continue;
    const result = give(target, name === "combine" ? made : unboxed(made), frame, line).filter(isKept);
    if (reshapes.test(name) && result.length > 0) made = result;
  }
  const functions = args.positional.flatMap((value) => ofKind(value, "function"));
  return join(passed.filter(isAnswer), wrap(made), functions);
}

/** `useSWRInfinite((page) => path)`, `builder.query({ query: (id) => path })`: a path that a function makes. */
export const pathsMade = (args: Arguments, frame: Frame, line: number): Value[] =>
  handedFunctions(args, frame)
    .filter(({ name }) => !takes.test(name))
    .map(({ target }) => frame.flow.apply(target, noArguments, frame, line))
    .filter((value) => value.some(({ kind }) => kind === "text" || kind === "object"));

// Promises and observables: rejections, and values through operators.
/** `.catch(() => [])`: the promise's own error handler. */
export function handleRejection(invocation: Invocation, handler: Expression | undefined, frame: Frame): void {
  if (!handler) return;
  const isSilent =
    handler.kind === "function"
      ? swallows(handler.code.body, handler.code.params[0]?.into, false)
      : handler.kind === "member" &&
        /^(console|log|logger)$/.test(handler.of.kind === "name" ? handler.of.name : "");
  const line = handler.line;
  const given = dataOf(invocation.receiver ?? []).map(({ node }) => node.endpoint);
  const endpoints = new Set([...given, ...invocation.met]);
  if (isSilent) tellEndpointHazard(frame, line, "catch-default", endpoints);
}

/** Each operator takes what the one before gives. */
export function pipe(invocation: Invocation, operators: readonly Expression[], frame: Frame): Value {
  let value = invocation.receiver ?? [];
  for (const operator of operators) {
    if (operator.kind !== "call") continue;
    const [handler] = operator.args;
    const name = operator.callee.kind === "name" ? operator.callee.name : "";
    if (!handler) continue;
    const given = frame.flow.evaluate(handler.value, frame);
    if (/^(map|switchMap|mergeMap|concatMap|exhaustMap|pluck)$/.test(name))
      value = callEach(given, [value], frame, operator.line);
    else if (name === "catchError") {
      handleRejection({ ...invocation, receiver: value }, handler.value, frame);
      value = join(value, callEach(given, [], frame, operator.line));
    } else callEach(given, [value], frame, operator.line);
  }
  return value;
}
