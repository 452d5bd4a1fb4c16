// What the languages' own functions do with values: iterate, unwrap, pass on.
import { type FieldNode, isIntegerId } from "./consumer-fields.ts";
import { elementsOf } from "./scan-access.ts";
import { callEach, giveAnswer } from "./scan-callbacks.ts";
import type { Expression } from "./scan-code.ts";
import type { Flow, Frame, Invocation } from "./scan-frame.ts";
import { checkNumberUse, rootName } from "./scan-hazards.ts";
import { readByKey } from "./scan-keyed.ts";
import { handleRejection, pipe } from "./scan-promises.ts";
import { keepValue } from "./scan-stores.ts";
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
  wrap,
} from "./scan-values.ts";

const words = (text: string) => new Set(text.split(" "));

const keepsList = words(
  "filter slice sort toSorted reverse toReversed concat copy values limit skip take sort_values",
);
const givesElement = words("find findLast at pop shift popleft first last Get");
const mapsElements = words("map flatMap forEach some every findIndex each apply");
const fillsList = words("push unshift append extend add concat insert appendleft update set put");

/** Functions that hand on what they are given, as far as V1 is concerned. */
const passes = words(
  "parse safeParse parseAsync loads load decode Decode list sorted reversed tuple set cast from structuredClone resolve run gather iter all allSettled race any ReadAll LimitReader MaxBytesReader TeeReader NopCloser NewDecoder NewReader NewBuffer NewBufferString Bytes String bytes str firstValueFrom lastValueFrom toRaw unref readonly as_completed create_task ensure_future wait_for model_validate parse_obj model_validate_json parse_raw from_dict validate_python validate from_json unwrap Do do send fetch urlopen request execute prepare_request prepare Wrap Must toPromise asObservable pipe json text memo computed deepcopy dict filter OrderedDict transform_keys forkJoin combineLatest zip merge of props useContext use inject storeToRefs toRefs toRef toSignal toValue chain",
);
/** Only of an answer itself; `send(passport)` sends a passport. */
const passesAnswer = words(
  "Do do send fetch urlopen request execute prepare_request prepare Decode decode String bytes str",
);

const numberUse = /^(sum|max|min|fsum|Max|Min)$/;
const numberConversion =
  /^(Number|parseInt|int|Atoi|ParseInt|toInt|isInteger|isSafeInteger|BigInt|parseFloat|float)$/;

const numbers = new WeakMap<FieldNode, FieldNode>();

/** Converted once, a text is no trap further on. */
function asNumber(node: FieldNode): FieldNode {
  const known = numbers.get(node) ?? { ...node, type: "number" as const };
  numbers.set(node, known);
  return known;
}

const lists = (value: Value): ObjectAtom[] => ofKind(dereference(value), "object");

const listOf = (element: Value): Value => {
  const list = newObject();
  list.element.value = element;
  return [list];
};

const flatten = (value: Value): Value =>
  join(
    ...dereference(value).map((atom): Value => {
      const inner = elementsOf([atom]);
      return inner.length > 0 ? inner : [atom];
    }),
  );

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

export const tupleOf = (...items: readonly Value[]): Value => {
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
  const data = held.filter(({ kind }) => kind === "data" || kind === "foreign");
  const own = lists(held);
  if (data.length === 0 && own.length === 0) return callUnknown(invocation, source, frame, flow);
  const [first = [], second = []] = args.positional;
  if (name === "pipe") return pipe(invocation, source, frame, flow);
  if (name === "then" || name === "subscribe" || name === "done") {
    callEach(second, [], frame, line, flow);
    if (lists(first).length > 0) giveAnswer(args, held, frame, line, flow);
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
  if (mapsElements.has(name)) {
    const mapped = callEach(first, [elementsOf(held), [], held], frame, line, flow);
    return listOf(name === "flatMap" ? flatten(mapped) : mapped);
  }
  if (name === "flat") return listOf(flatten(elementsOf(held)));
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
  const special =
    readByKey(invocation, source, frame, flow) ??
    keepValue(invocation, frame, flow) ??
    callMethod(invocation, source, frame, flow);
  if (special) return special;
  const [first = []] = args.positional;
  if (numberUse.test(name)) {
    for (const value of args.positional) checkNumberUse(join(value, elementsOf(value)), frame, line, flow);
    return elementsOf(first);
  }
  if (numberConversion.test(name)) {
    const texts = dataOf(dereference(first));
    // A count that is converted is a number; a credential's value is any text.
    const doubtful = texts.filter(({ node }) => node.type === "number" || node.name === "value");
    checkNumberUse(doubtful, frame, line, flow);
    return texts
      .filter(({ node }) => !isIntegerId(node))
      .map((atom) => ({ ...atom, node: asNumber(atom.node) }));
  }
  if (rootName(invocation.callee) === "Buffer" && name === "concat") return elementsOf(first);
  if (rootName(invocation.callee) === "Object" && /^(values|entries)$/.test(name)) {
    return listOf(name === "values" ? elementsOf(first) : tupleOf([], elementsOf(first)));
  }
  if (name === "from" && ofKind(args.positional[1] ?? [], "function").length > 0)
    return listOf(callEach(args.positional[1]!, [elementsOf(first)], frame, line, flow));
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
  if (kept.length === 0) return undefined;
  return /^to(Signal|Refs?)$/.test(name) ? wrap(join(kept)) : join(kept);
}
