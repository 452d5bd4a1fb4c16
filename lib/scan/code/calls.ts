// What a call gives: V1's response, an item of a list, what a function of the code's own returns, or what a library's function
// makes of its arguments.
import { bodies } from "../names/fields.ts";
import { besideBody, evaluate, functionOf, pass, returnValue } from "./evaluate.ts";
import { unwrap } from "./failures.ts";
import {
  access,
  carriesV1,
  elementOf,
  type FunctionRef,
  nodeOf,
  type SourceFile,
  type Value,
  withShape,
} from "./program.ts";
import { asksAnother } from "./requests.ts";
import { typed } from "./shapes.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  functionKinds,
  keywordOf,
  memberOf,
  returnsOf,
  type SyntaxNode,
  wordSet,
} from "./syntax.ts";

/** Methods that give their receiver, or a list like it. */
const sameAsReceiver = wordSet(
  "catch finally json text result unwrap raise_for_status copy clone model_dump dict lean exec values flat reverse concat slice sort toSorted toReversed filter Bytes Body Result items getContent head tail dropna fillna sort_values reset_index query merge assign value collect toArray submit aread read data nullable optional",
);
/** Functions whose result is their argument, or is decoded from it. */
const sameAsArgument = wordSet(
  "sorted list reversed tuple iter filter toRaw unref toRef toValue structuredClone freeze cast deepcopy asdict ReadAll NewDecoder NewReader NewBuffer loads parse Do do send Send execute fetch urlopen assign stringify camelcaseKeys camelizeKeys keysToCamel snakecaseKeys reactive ref shallowRef readonly writable signal resolve from fromEntries wait_for ensure_future create_task run run_until_complete gather_one firstValueFrom lastValueFrom of use derived get unwrap",
);
/** Functions that give an item of their argument. */
const itemOfArgument = wordSet("next max min first last head sample choice maxBy minBy");
/** Methods that give an item of their receiver. */
const itemOfReceiver = wordSet("find findLast at pop shift first last get");
/** Methods that call a function with each item. */
const eachItem = wordSet("map flatMap forEach some every findIndex reduce reduceRight apply");
const states = wordSet("useState createSignal useReducer useAtom useRecoilState");
const decoders = wordSet(
  "parse safeParse parseAsync model_validate parse_obj parse_raw model_validate_json validate decode from_dict structure validate_python convert",
);
/** Functions that are given another one, and do not give its result. */
const notItsResult = wordSet(
  "useEffect useLayoutEffect setTimeout setInterval describe it test on once addEventListener useImperativeHandle get post put use catch listen watch watchEffect onMounted subscribe",
);

export function callResult(file: SourceFile, call: SyntaxNode): Value | undefined {
  const declared = typed(file, typeArguments(call));
  const request = file.requests.get(call);
  if (request) {
    const fn = functionOf(file, call);
    if (fn) passArguments(file, call, fn);
    const response: Value = { node: bodies[request.endpoint], origin: { by: "call", request } };
    const returned = fn && returnValue(fn);
    const body = withShape(returned?.shape ? withShape(response, returned) : response, declared);
    return (fn && inTuple(fn, body)) ?? body;
  }
  return withShape(resultOf(file, call), declared);
}

const tuples = wordSet("array tuple expression_list");
const plain =
  /^(null|undefined|none|true|false|number|integer|float|string|template_string|comparison_operator)$/;

/** `r.status_code`, `None`, `error`: what a helper returns beside the body. */
function isBeside(node: SyntaxNode): boolean {
  const name = node.kind === "identifier" ? node.text : (memberOf(node)?.key ?? "");
  return plain.test(node.kind) || besideBody.test(name);
}

/** `return r.status_code, r.json()`: the body is one of several results. Go's errors have rules of their own. */
function inTuple(fn: FunctionRef, body: Value | undefined, depth = 0): Value | undefined {
  if (fn.file.language === "go" || depth > 2) return undefined;
  const results = [...returnsOf(fn.node)].map(unwrap);
  const several = results.filter(({ kind, children }) => tuples.has(kind) && children.length > 1);
  const length = Math.max(0, ...several.map(({ children }) => children.length));
  const items = Array.from({ length }, (_, index) => {
    const isBody = several.some(({ children }) => {
      const item = children[index];
      return item !== undefined && !isBeside(unwrap(item));
    });
    return isBody ? body : undefined;
  });
  // A list of JavaScript may have bodies only.
  const isKnown = fn.file.language === "python" || items.includes(undefined);
  if (isKnown && items.some((item) => item !== undefined)) return { items };
  for (const result of results) {
    const inner = callKinds.has(result.kind) ? functionOf(fn.file, result) : undefined;
    const found = inner && inner.node !== fn.node ? inTuple(inner, body, depth + 1) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** `get<Passport>(…)`, and `get[Passport](…)` of Go. */
function typeArguments(call: SyntaxNode): SyntaxNode | undefined {
  const written = call.field("function") ?? call.field("type");
  const isOfGo = written?.kind === "index_expression" || written?.kind === "generic_type";
  return isOfGo ? written.children[1] : call.field("type_arguments");
}

function resultOf(file: SourceFile, call: SyntaxNode): Value | undefined {
  const name = calleeName(call);
  const callee = calleeOf(call);
  const args = argumentsOf(call).filter((argument) => !keywordOf(argument));
  const value = (index: number) => evaluate(file, args[index]);
  if (call.kind === "new_expression")
    return evaluate(file, callee) ?? typed(file, callee) ?? ofFunctionArgument(file, name, args);
  const member = callee && memberOf(callee);
  const receiver = member && evaluate(file, member.of);
  if (receiver && member) {
    const found = methodResult({ file, call, name, receiver, args });
    if (found) return found;
  }
  if (/^(all|allSettled|race|any)$/.test(name) && /Promise$/.test(member?.of.text ?? "")) {
    const list = value(0);
    return list?.items || list?.list ? list : undefined;
  }
  if (name === "gather") return { items: args.map((_, index) => value(index)) };
  if (states.has(name)) {
    const state = withShape(value(0), typed(file, call.field("type_arguments")));
    return state && { items: [state] };
  }
  const fn = functionOf(file, call);
  if (fn) {
    passArguments(file, call, fn);
    return returnValue(fn);
  }
  if (asksAnother(file, call)) return { isForeign: true };
  const declared = decoderOf(file, call);
  if (declared) {
    const decoded = args.map((_, index) => value(index)).find((one) => nodeOf(one));
    return withShape(decoded, declared);
  }
  // `[]byte(text)` of Go.
  if (call.kind === "type_conversion_expression") return value(0);
  if (itemOfArgument.has(name)) return elementOf(value(0));
  if (name === "enumerate") return { list: { items: [undefined, elementOf(value(0))] } };
  if (name === "zip") return { list: { items: args.map((_, index) => elementOf(value(index))) } };
  if (name === "entries" && member?.of.text === "Object") return undefined;
  if (
    sameAsArgument.has(name) ||
    decoders.has(name) ||
    /^(computed|useMemo|memo|useDeferredValue)$/.test(name)
  ) {
    const found = argumentResult(file, call, args);
    if (found) return found;
  }
  return ofFunctionArgument(file, name, args);
}

type MethodCall = {
  file: SourceFile;
  call: SyntaxNode;
  name: string;
  receiver: Value;
  args: readonly SyntaxNode[];
};

function methodResult({ file, call, name, receiver, args }: MethodCall): Value | undefined {
  const callback = evaluate(file, args[0])?.fn;
  const own = receiver.members?.get(name)?.fn;
  if (own) {
    passArguments(file, call, own);
    return returnValue(own);
  }
  if (name === "then" || name === "andThen" || name === "pipe" || name === "subscribe") {
    if (!callback) return receiver;
    pass(callback, 0, receiver);
    return returnValue(callback);
  }
  const item = elementOf(receiver);
  if (sameAsReceiver.has(name)) {
    if (callback && item) {
      pass(callback, 0, item);
      if (/sort/i.test(name)) pass(callback, 1, item);
    }
    passKey(file, call, item);
    if (/^(values|items)$/.test(name) && !receiver.node?.element && !receiver.list) return undefined;
    return receiver;
  }
  const key = memberOf(call)?.key;
  if (key !== undefined) return access(receiver, key);
  if (item && itemOfReceiver.has(name)) {
    if (callback) pass(callback, 0, item);
    return item;
  }
  if (item && eachItem.has(name)) {
    if (callback) pass(callback, name.startsWith("reduce") ? 1 : 0, item);
    if (name !== "map" && name !== "flatMap") return undefined;
    const made = callback && returnValue(callback);
    return made && { list: name === "flatMap" ? (elementOf(made) ?? made) : made };
  }
  return undefined;
}

/** `sorted(people, key=lambda p: p["score"])`. */
function passKey(file: SourceFile, call: SyntaxNode, item: Value | undefined): void {
  for (const argument of argumentsOf(call)) {
    const keyword = keywordOf(argument);
    const fn = keyword && evaluate(file, keyword.value)?.fn;
    if (fn) pass(fn, 0, item);
  }
}

/** `list(people)`, `filter(isHuman, people)`, `computed(() => person)`. */
function argumentResult(file: SourceFile, call: SyntaxNode, args: readonly SyntaxNode[]): Value | undefined {
  const values = args.map((argument) => evaluate(file, argument));
  const plain = values.find((one) => carriesV1(one));
  const callback = values.find((one) => one?.fn)?.fn;
  passKey(file, call, elementOf(plain));
  if (callback && plain) pass(callback, 0, elementOf(plain));
  return plain ?? (callback && returnValue(callback));
}

/** The type that a call decodes into: `Passport.parse(body)`, `Passport(**body)`. */
export function decoderOf(file: SourceFile, call: SyntaxNode): Value | undefined {
  const callee = calleeOf(call);
  if (!callee) return undefined;
  const member = memberOf(callee);
  if (member?.key !== undefined && decoders.has(member.key)) {
    const type = typed(file, member.of);
    if (type) return type;
  }
  if (file.language === "python" && /^(identifier|attribute)$/.test(callee.kind)) return typed(file, callee);
  const [first] = argumentsOf(call);
  return first &&
    /^(parse|safeParse|assert|decode|cast|structure|convert|loads)$/.test(member?.key ?? "") &&
    /identifier/.test(first.kind)
    ? (typed(file, first) ?? undefined)
    : undefined;
}

/** `useQuery(key, () => load(id))`, `cache(load)`: the result is that of the function, or holds it. */
function ofFunctionArgument(file: SourceFile, name: string, args: readonly SyntaxNode[]): Value | undefined {
  for (const argument of args) {
    const value = evaluate(file, argument);
    const named = [...(value?.members?.entries() ?? [])].find(
      ([key, { fn }]) => fn && /^(queryFn|fetcher|loader|fetch|handler|fn|query)$/.test(key),
    );
    const fn = value?.fn ?? named?.[1].fn;
    if (!fn) continue;
    if (name === "useCallback") return { fn };
    const result = returnValue(fn);
    if (!carriesV1(result) || notItsResult.has(name)) {
      // `withRetry(async () => …)`, `task(load)`: it may be called under its own name.
      if (functionKinds.has(argument.kind) || notItsResult.has(name)) continue;
      return { fn };
    }
    const held = result!;
    return { ...held, fn, members: new Map([...(held.members ?? []), ["data", held], ["value", held]]) };
  }
  return undefined;
}

function passArguments(file: SourceFile, call: SyntaxNode, fn: FunctionRef): void {
  let index = 0;
  for (const argument of argumentsOf(call)) {
    const keyword = keywordOf(argument);
    if (keyword) pass(fn, keyword.name, evaluate(file, keyword.value));
    else {
      pass(fn, index, evaluate(file, argument));
      index += 1;
    }
  }
}
