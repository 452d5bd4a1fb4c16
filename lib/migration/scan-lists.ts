// What the languages' own functions do with values: iterate, unwrap, pass on.
import type { EndpointId } from "../contract/endpoints.ts";
import { elementsOf } from "./scan-access.ts";
import type { Expression } from "./scan-code.ts";
import { type Arguments, type Flow, type Frame, tellEndpointHazard } from "./scan-frame.ts";
import { checkNumberUse, swallows } from "./scan-hazards.ts";
import {
  dataOf,
  dereference,
  fill,
  isBody,
  join,
  newObject,
  type ObjectAtom,
  ofKind,
  type Value,
} from "./scan-values.ts";

const words = (text: string) => new Set(text.split(" "));

const keepsList = words(
  "filter slice sort toSorted reverse toReversed concat copy values flat limit skip take sort_values",
);
const givesElement = words("find findLast at pop shift popleft first last Get");
const mapsElements = words("map flatMap forEach some every findIndex each apply");
const fillsList = words("push unshift append extend add concat insert appendleft update set put");

/** Functions that hand on what they are given, as far as V1 is concerned. */
const passes = words(
  "parse safeParse parseAsync loads load decode Decode list sorted reversed tuple set cast from structuredClone resolve run gather iter all allSettled race any ReadAll LimitReader MaxBytesReader TeeReader NopCloser NewDecoder NewReader NewBuffer NewBufferString Bytes String bytes str firstValueFrom lastValueFrom toRaw unref readonly as_completed create_task ensure_future wait_for model_validate parse_obj model_validate_json parse_raw from_dict validate_python validate from_json unwrap Do do send fetch urlopen request execute prepare_request prepare Wrap Must toPromise asObservable pipe json text memo computed deepcopy dict filter OrderedDict transform_keys",
);
/** Only of an answer itself; `send(passport)` sends a passport. */
const passesAnswer = words(
  "Do do send fetch urlopen request execute prepare_request prepare Decode decode String bytes str",
);

const numberUse = /^(sum|max|min|fsum|Max|Min)$/;
const numberConversion =
  /^(Number|parseInt|int|Atoi|ParseInt|toInt|isInteger|isSafeInteger|BigInt|parseFloat|float)$/;

export type Invocation = {
  callee: Expression;
  name: string;
  receiver: Value | undefined;
  args: Arguments;
  /** Endpoints met on the way to the receiver: a chain's rejection is theirs. */
  met: ReadonlySet<EndpointId>;
  line: number;
};

const lists = (value: Value): ObjectAtom[] => ofKind(dereference(value), "object");

const listOf = (element: Value): Value => {
  const list = newObject();
  list.element.value = element;
  return [list];
};

const callEach = (functions: Value, given: readonly Value[], frame: Frame, line: number, flow: Flow): Value =>
  join(
    ...ofKind(functions, "function").map((target) =>
      flow.apply(target, { positional: given, named: new Map() }, frame, line),
    ),
  );

/** `.catch(() => [])`: the promise's own error handler. */
function handleRejection(
  invocation: Invocation,
  handler: Expression | undefined,
  frame: Frame,
  flow: Flow,
): void {
  if (!handler) return;
  const isSilent =
    handler.kind === "function"
      ? swallows(handler.code.body, handler.code.params[0]?.into, false)
      : handler.kind === "member" &&
        /^(console|log|logger)$/.test(handler.of.kind === "name" ? handler.of.name : "");
  const line = handler.line;
  const given = dataOf(invocation.receiver ?? []).map(({ node }) => node.endpoint);
  const endpoints = new Set([...given, ...invocation.met]);
  if (isSilent) tellEndpointHazard(flow, frame, line, "catch-default", endpoints);
}

/** rxjs: each operator takes what the one before gives. */
function pipe(invocation: Invocation, operators: readonly Expression[], frame: Frame, flow: Flow): Value {
  let value = invocation.receiver ?? [];
  for (const operator of operators) {
    if (operator.kind !== "call") continue;
    const [handler] = operator.args;
    const name = operator.callee.kind === "name" ? operator.callee.name : "";
    if (!handler) continue;
    const given = flow.evaluate(handler.value, frame);
    if (/^(map|switchMap|mergeMap|concatMap|exhaustMap|pluck)$/.test(name))
      value = callEach(given, [value], frame, operator.line, flow);
    else if (name === "catchError") {
      handleRejection({ ...invocation, receiver: value }, handler.value, frame, flow);
      value = join(value, callEach(given, [], frame, operator.line, flow));
    } else callEach(given, [value], frame, operator.line, flow);
  }
  return value;
}

function addTo(target: readonly ObjectAtom[], name: string, args: readonly Value[]): void {
  for (const list of target) {
    for (const value of args) {
      fill(
        list.element,
        name === "extend" || name === "concat" || name === "update" ? elementsOf(value) : value,
      );
    }
  }
}

const tupleOf = (...items: readonly Value[]): Value => {
  const tuple = newObject(true);
  for (const [index, value] of items.entries()) tuple.fields.set(String(index), { value });
  return [tuple];
};

/** Methods of something unknown that still tell what becomes of V1's values. */
function callUnknown(
  invocation: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const { name, args, line, met } = invocation;
  const [first = []] = args.positional;
  if ((name === "catch" || name === "fail") && met.size > 0) {
    handleRejection(invocation, source[0], frame, flow);
    return callEach(first, [], frame, line, flow);
  }
  const isMapping = /^(map|flatMap|imap|starmap)$/.test(name) && ofKind(first, "function").length > 0;
  return isMapping ? listOf(callEach(first, [], frame, line, flow)) : undefined;
}

/** Methods of V1's values and of lists; undefined where the method is not one of them. */
function callMethod(
  invocation: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const { name, receiver = [], args, line } = invocation;
  const held = dereference(receiver);
  const data = dataOf(held);
  const own = lists(held);
  if (data.length === 0 && own.length === 0) return callUnknown(invocation, source, frame, flow);
  const [first = [], second = []] = args.positional;
  if (name === "pipe") return pipe(invocation, source, frame, flow);
  if (name === "then" || name === "subscribe" || name === "done") {
    callEach(second, [], frame, line, flow);
    return callEach(first, [held], frame, line, flow);
  }
  if (name === "catch" || name === "finally" || name === "fail") {
    if (name !== "finally") handleRejection(invocation, source[0], frame, flow);
    return join(held, callEach(first, [], frame, line, flow));
  }
  if (name === "on" || name === "once") {
    callEach(second, [held], frame, line, flow);
    return held;
  }
  if (name === "reduce" || name === "reduceRight") {
    const result = callEach(first, [second, elementsOf(held), [], held], frame, line, flow);
    return join(second, result);
  }
  if (own.length > 0 && fillsList.has(name)) {
    addTo(own, name, args.positional);
    return held;
  }
  if (mapsElements.has(name)) return listOf(callEach(first, [elementsOf(held), [], held], frame, line, flow));
  if (givesElement.has(name)) {
    callEach(first, [elementsOf(held)], frame, line, flow);
    return elementsOf(held);
  }
  if (name === "entries" || (name === "items" && args.positional.length === 0)) {
    return listOf(tupleOf([], elementsOf(held)));
  }
  if (keepsList.has(name)) {
    callEach(first, [elementsOf(held), elementsOf(held)], frame, line, flow);
    for (const key of [args.named.get("key") ?? []]) {
      checkNumberUse(callEach(key, [elementsOf(held)], frame, line, flow), frame, line, flow);
    }
    return join(held, name === "concat" ? join(...args.positional) : []);
  }
  return undefined;
}

/** What a function that is not in the tree gives, where its name is known to everybody. */
export function callKnown(
  invocation: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const { name, args, line } = invocation;
  const method = callMethod(invocation, source, frame, flow);
  if (method) return method;
  const [first = []] = args.positional;
  if (numberUse.test(name)) {
    for (const value of args.positional) checkNumberUse(join(value, elementsOf(value)), frame, line, flow);
    return elementsOf(first);
  }
  if (numberConversion.test(name)) {
    const ids = dataOf(first).filter(({ node }) => node.type === "number");
    checkNumberUse(ids, frame, line, flow);
    return [];
  }
  if (name === "enumerate") return listOf(tupleOf([], elementsOf(first)));
  if (name === "zip") return listOf(tupleOf(...args.positional.map(elementsOf)));
  if (name === "next") return elementsOf(first);
  if (name === "append") {
    const rest = args.positional.slice(1);
    const target = lists(first);
    const into = target.length > 0 ? target : ofKind(listOf([]), "object");
    addTo(into, name, rest);
    return join(first, into);
  }
  if (/^(useState|createSignal)$/.test(name)) {
    const pair = newObject(true);
    const cell = { value: first };
    pair.fields.set("0", cell);
    pair.fields.set("1", { value: [{ kind: "setter", cell }] });
    return [pair];
  }
  if (/^(ref|reactive|shallowRef|useRef|signal|writable)$/.test(name)) return [newObject()];
  if (!passes.has(name)) return undefined;
  const given = args.positional.flatMap((value) => [...dereference(value)]);
  const callee = invocation.receiver ? dataOf(dereference(invocation.receiver)) : [];
  const kept = [...given, ...callee].filter((atom) =>
    atom.kind === "data"
      ? isBody(atom) || !passesAnswer.has(name)
      : atom.kind === "object" && !passesAnswer.has(name),
  );
  for (const handler of [args.named.get("key") ?? []]) {
    const result = callEach(handler, [elementsOf(kept)], frame, line, flow);
    checkNumberUse(result, frame, line, flow);
  }
  return kept.length > 0 ? join(kept) : undefined;
}
