// What the languages' own functions do with values: iterate, unwrap, pass on.
import { type FieldNode, trapOf } from "../../names/fields.ts";
import { checkNumberUse, rootName } from "../hazards.ts";
import type { Frame, Invocation, ObjectAtom, Value } from "../values/atoms.ts";
import { keysOf, markRow } from "../values/origin.ts";
import {
  dataOf,
  dereference,
  elementsOf,
  fill,
  isBody,
  join,
  listOf,
  ofKind,
  orderedItems,
  orderedTexts,
  remember,
  tupleOf,
  wrap,
} from "../values/values.ts";
import { callEach, giveAnswer, handleRejection, pipe } from "./callbacks.ts";

const words = (text: string) => new Set(text.split(" "));

const keepsList = words(
  "filter slice sort toSorted reverse toReversed concat copy values limit skip take sort_values value uniq compact uniqBy",
);
const givesElement = words("find findLast at pop shift popleft first last Get");
const mapsElements = words("map flatMap forEach some every findIndex each apply");
const fillsList = words("push unshift append extend add concat insert appendleft update set put");

/** Functions that hand on what they are given, as far as V1 is concerned. */
const passes = words(
  "parse safeParse parseAsync loads load decode Decode list sorted reversed tuple set cast from fromAsync structuredClone resolve run gather iter all allSettled race any ReadAll LimitReader MaxBytesReader TeeReader NopCloser NewDecoder NewReader NewBuffer NewBufferString Bytes String bytes str firstValueFrom lastValueFrom toRaw unref readonly as_completed create_task ensure_future wait_for model_validate parse_obj model_validate_json parse_raw from_dict validate_python validate from_json unwrap Do do send fetch urlopen request execute prepare_request prepare Wrap Must toPromise asObservable pipe json text memo computed $derived $state tqdm track deepcopy dict filter OrderedDict transform_keys forkJoin combineLatest zip merge of props useContext use inject storeToRefs toRefs toRef toSignal toValue chain _ uniq compact take takeLast drop shuffle cloneDeep clone freeze defer ok Ok okAsync right some succeed just fromPromise fromNullable ToStringMap ToStringMapE ToSlice ToSliceE",
);
/** Only of an answer itself; `send(passport)` sends a passport. */
const passesAnswer = words(
  "Do do send fetch urlopen request execute prepare_request prepare Decode decode String bytes str",
);

const numberUse = /^(sum|max|min|fsum|Max|Min)$/;
const numberConversion =
  /^(Number|parseInt|int|Atoi|ParseInt|toInt|isInteger|isSafeInteger|BigInt|parseFloat|float)$/;

/** Converted once, a text is no trap further on. */
const numbers = new WeakMap<FieldNode, FieldNode>();

const lists = (value: Value): ObjectAtom[] => ofKind(value, "object");

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
      fill(list.element, /^(extend|concat|update)$/.test(name) ? elementsOf(value) : value);
    }
  }
}

/** Each outcome has its value inside; who stands where stays known. */
function settleEach(value: Value): Value {
  const ordered = orderedItems(value);
  return ordered ? tupleOf(...ordered.map(wrap)) : listOf(wrap(elementsOf(value)));
}

/** Methods of something unknown that still tell what becomes of V1's values. */
function callUnknown(invocation: Invocation, frame: Frame): Value | undefined {
  const { name, receiver = [], args, line, met, source } = invocation;
  const [first = []] = args.positional;
  // `"passport.score".split(".")`: the steps of a path.
  const paths = ofKind(receiver, "text");
  if (name === "split" && paths.length > 0 && ofKind(first, "text")[0]?.text === ".")
    return paths.flatMap((atom) => tupleOf(...atom.text.split(".").map((text) => [{ ...atom, text }])));
  if ((name === "catch" || name === "fail") && met.size > 0) {
    handleRejection(invocation, source[0], frame);
    return callEach(first, [], frame, line);
  }
  const isMapping = /^(map|flatMap|imap|starmap)$/.test(name) && ofKind(first, "function").length > 0;
  return isMapping ? listOf(callEach(first, [], frame, line)) : undefined;
}

/** Methods of V1's values and of lists; undefined where the method is not one of them. */
function callMethod(invocation: Invocation, frame: Frame): Value | undefined {
  const { name, receiver = [], args, line, source } = invocation;
  const held = dereference(receiver);
  const data = held.filter(({ kind }) => kind === "data" || kind === "foreign");
  const own = lists(held);
  if (data.length === 0 && own.length === 0) return callUnknown(invocation, frame);
  const [first = [], second = []] = args.positional;
  if (name === "pipe") return pipe(invocation, source, frame);
  if (name === "then" || name === "subscribe" || name === "done") {
    callEach(second, [], frame, line);
    if (lists(first).length > 0) giveAnswer(args, held, frame, line);
    return callEach(first, [held], frame, line);
  }
  if (name === "catch" || name === "finally" || name === "fail") {
    if (name !== "finally") handleRejection(invocation, source[0], frame);
    return join(held, callEach(first, [], frame, line));
  }
  if (name === "on" || name === "once") {
    callEach(second, [held], frame, line);
    return held;
  }
  if (name === "reduce" || name === "reduceRight") {
    const begins = args.positional.length > 1 ? second : elementsOf(held);
    const paths = own.map((list) => orderedTexts([list])).filter((steps) => steps.length > 0);
    if (paths.length > 0)
      return join(
        ...paths.map((steps) =>
          steps.reduce((value, step) => callEach(first, [value, step], frame, line), begins),
        ),
      );
    return join(begins, callEach(first, [begins, elementsOf(held), [], held], frame, line));
  }
  if (own.length > 0 && fillsList.has(name)) {
    addTo(own, name, args.positional);
    return held;
  }
  // `parts.map(encodeURIComponent)`: still the parts, in their order.
  const [callback] = source;
  if (name === "map" && callback?.kind === "name" && /^(encodeURI(Component)?|String)$/.test(callback.name))
    return held;
  if (mapsElements.has(name)) {
    const mapped = callEach(first, [elementsOf(held), [], held], frame, line);
    return listOf(name === "flatMap" ? flatten(mapped) : mapped);
  }
  if (name === "next" && args.positional.length === 0) return wrap(elementsOf(held));
  if (name === "flat") return listOf(flatten(elementsOf(held)));
  if (givesElement.has(name)) {
    callEach(first, [elementsOf(held)], frame, line);
    return elementsOf(held);
  }
  if (name === "entries" || (name === "items" && args.positional.length === 0)) {
    return listOf(tupleOf([], elementsOf(held)));
  }
  if (keepsList.has(name)) {
    callEach(first, [elementsOf(held), elementsOf(held)], frame, line);
    checkNumberUse(callEach(args.named.get("key") ?? [], [elementsOf(held)], frame, line), frame, line);
    return join(held, name === "concat" ? join(...args.positional) : []);
  }
  return undefined;
}

/** What a function that is not in the tree gives, where its name is known to everybody. */
export function callKnown(invocation: Invocation, frame: Frame): Value | undefined {
  const { name, args, line } = invocation;
  const method = callMethod(invocation, frame);
  if (method) return method;
  const [first = []] = args.positional;
  if (numberUse.test(name)) {
    for (const value of args.positional) checkNumberUse(join(value, elementsOf(value)), frame, line);
    return elementsOf(first);
  }
  if (numberConversion.test(name)) {
    const texts = dataOf(first);
    // A count that is converted is a number; a credential's value is any text.
    const doubtful = texts.filter(({ node }) => node.type === "number" || node.name === "value");
    checkNumberUse(doubtful, frame, line);
    return texts
      .filter(({ node }) => trapOf(node) !== "integer-id")
      .map((atom) => ({
        ...atom,
        node: remember(numbers, atom.node, () => ({ ...atom.node, type: "number" })),
      }));
  }
  if (rootName(invocation.callee) === "Buffer" && name === "concat") return elementsOf(first);
  if (rootName(invocation.callee) === "Object" && /^(values|entries)$/.test(name)) {
    const held = elementsOf(markRow(first));
    return listOf(name === "values" ? held : tupleOf(keysOf(first), held));
  }
  if (rootName(invocation.callee) === "Object" && name === "keys") return listOf(keysOf(first));
  if (/^from(Async)?$/.test(name) && ofKind(args.positional[1] ?? [], "function").length > 0)
    return listOf(callEach(args.positional[1]!, [elementsOf(first)], frame, line));
  if (name === "enumerate") return listOf(tupleOf([], elementsOf(first)));
  if (name === "zip") return listOf(tupleOf(...args.positional.map(elementsOf)));
  if (name === "next") return elementsOf(first);
  if (name === "allSettled") return settleEach(first);
  if (name === "append") {
    const rest = args.positional.slice(1);
    const target = lists(first);
    const into = target.length > 0 ? target : ofKind(listOf([]), "object");
    addTo(into, name, rest);
    return join(first, into);
  }
  if (!passes.has(name)) return undefined;
  const given = args.positional.flatMap(dereference);
  const isBoxed = frame.module.language.boxedBy?.test(name) ?? false;
  const callee = invocation.receiver ? dataOf(invocation.receiver) : [];
  const kept = [...given, ...callee].filter((atom) =>
    atom.kind === "data"
      ? isBody(atom) || !passesAnswer.has(name) || (isBoxed && atom.node.children.size > 0)
      : atom.kind === "object" && !passesAnswer.has(name),
  );
  checkNumberUse(callEach(args.named.get("key") ?? [], [elementsOf(kept)], frame, line), frame, line);
  if (kept.length === 0) return undefined;
  return isBoxed ? wrap(join(kept)) : join(kept);
}
