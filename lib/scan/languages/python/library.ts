// Python: how built-in functions and well-known libraries process values.
import { callTargets, iterate } from "../../flow/calls/classes.ts";
import type { Expression } from "../../flow/code.ts";
import { type Frame, type Invocation, noArguments } from "../../flow/frame.ts";
import { checkNumberUse } from "../../flow/hazards.ts";
import { enter } from "../../flow/values/access.ts";
import type { ObjectAtom, Value } from "../../flow/values/atoms.ts";
import { callTable } from "../../flow/values/tables.ts";
import { listParts, partsIn } from "../../flow/values/texts.ts";
import {
  dataOf,
  dereference,
  elementsOf,
  fill,
  join,
  newObject,
  ofKind,
  orderedItems,
} from "../../flow/values/values.ts";
import { readByNames } from "./calls.ts";

/** Where a connection keeps what it was asked for; no source code can have such a key. */
export const answerKey = "<answer>";

/** `with`: what a manager gives on entering; most give themselves. */
function enterManager({ invocation: { receiver = [], line }, frame }: Context): Value {
  const held = dereference(receiver);
  const managers = ofKind(held, "object");
  const methods = managers.length > 0 ? ofKind(enter(managers, "__aenter__", frame, line), "function") : [];
  const given = methods.map((method) => frame.flow.apply(method, noArguments, frame, line));
  return methods.length > 0 ? join(...given) : held;
}

const runsLater =
  /^(submit|to_thread|run_in_executor|apply_async|start_soon|run_sync|run_in_threadpool|call_soon|delay|Thread|Process)$/;

/** `submit(fn, x)`, `run_in_executor(None, fn, x)`, `Thread(target=fn, args=(x,))`: a call, said otherwise. */
function runLater({ invocation: { name, args, line }, frame }: Context): Value | undefined {
  if (!runsLater.test(name)) return undefined;
  const at = args.positional.findIndex((value) => ofKind(value, "function").length > 0);
  const functions = at >= 0 ? args.positional[at]! : (args.named.get("target") ?? []);
  const more = args.named.get("args") ?? (name === "apply_async" ? args.positional[at + 1] : undefined);
  const positional = more ? (orderedItems(more) ?? [elementsOf(more)]) : args.positional.slice(at + 1);
  const given = { positional, named: args.named };
  return join(...ofKind(functions, "function").map((target) => frame.flow.apply(target, given, frame, line)));
}

/** What a framework will hand over: what the provider returns, or yields once. */
function provide({ invocation: { callee, args, line }, frame }: Context): Value {
  const providers = args.positional[0] ?? args.named.get("dependency") ?? [];
  const given = callTargets(providers, noArguments, callee, frame, line);
  const yields = ofKind(providers, "function").some(({ code }) => code.isGenerator);
  return yields ? elementsOf(given) : given;
}

const containers =
  /^(dict|list|set|deque|OrderedDict|Counter|defaultdict|(\w*Queue)|Namespace|Box|HTTPS?Connection)$/;

/** `defaultdict(list)` holds a list under whatever key. */
function makeContainer({ invocation: { callee, name, args }, source, frame }: Context): Value | undefined {
  const isDefault = name === "defaultdict";
  if (!containers.test(name)) return undefined;
  if (args.positional.length > 0 && !/^(defaultdict|\w*Queue|HTTPS?Connection)$/.test(name)) return undefined;
  const known = frame.made.get(callee) ?? newObject();
  frame.made.set(callee, known);
  const [factory] = source;
  if (isDefault && factory?.kind === "name" && known.element.value.length === 0)
    known.element.value = [newObject()];
  return [known];
}

/** A dictionary or a queue of the code's own: what was put in comes out. */
function takeFrom({ invocation, frame }: Context): Value | undefined {
  const { name, receiver = [], args, line } = invocation;
  const held = dereference(receiver);
  const own = ofKind(held, "object").filter(({ isTable }) => !isTable);
  if (name === "getresponse") return own.flatMap(({ fields }) => fields.get(answerKey)?.value ?? []);
  if (/^(result|get_result|unwrap|unwrap_or)$/.test(name) && held.length > 0) return held;
  if (!/^(get|get_nowait|setdefault)$/.test(name)) return undefined;
  if (args.positional.length === 0) return join(dataOf(held), elementsOf(own));
  if (own.length === 0) return undefined;
  const [key = [], instead = []] = args.positional;
  const keys = ofKind(key, "text");
  const entered = keys.map(({ text }) => enter(own, text, frame, line));
  if (name === "setdefault") for (const { element } of own) fill(element, instead);
  const found = join(
    ...entered,
    ...(keys.length === 0 ? [elementsOf(own)] : own.map(({ element }) => element.value)),
  );
  return join(found, instead);
}

const settings = /^(environ|env|config|conf|settings|options|opts|secrets|cfg|getenv)$/i;

/** `os.environ.get("BASE", "https://…")`: as far as the source says, the default. */
export function readSetting({ callee, name, args }: Invocation): Value | undefined {
  const holder = callee.kind === "member" ? callee.of : callee;
  const holderName = holder.kind === "member" ? holder.key : holder.kind === "name" ? holder.name : "";
  const isSetting =
    name === "getenv" ||
    (settings.test(holderName) && (callee.kind === "name" || /^(get|str|url)$/.test(name)));
  if (!isSetting) return undefined;
  const given = [args.positional[1], args.named.get("default"), args.named.get("fallback")];
  return given.flatMap((value) => ofKind(value ?? [], "text"));
}

export function callPython(
  invocation: Invocation,
  source: readonly Expression[],
  frame: Frame,
): Value | undefined {
  const context: Context = { invocation, source, frame };
  const { name, args } = invocation;
  if (name === "__enter__") return enterManager(context);
  if (name === "gather")
    return args.rest ? listOf(join(args.rest, ...args.positional)) : tupleOf(args.positional);
  const parts = /^(list|copy)$/.test(name)
    ? partsIn(args.positional[0] ?? invocation.receiver ?? [])
    : undefined;
  if (parts) return listParts(parts);
  if (/^(Depends|Security|Provide)$/.test(name)) return provide(context);
  return (
    callTable(invocation, source, frame) ??
    readByNames(invocation, source, frame) ??
    runLater(context) ??
    callOverList(context) ??
    makeContainer(context) ??
    takeFrom(context)
  );
}

/** A connection that is asked first and read later. */
export function keepAnswer(receiver: Value, answers: Value): void {
  for (const connection of ofKind(dereference(receiver), "object") as ObjectAtom[])
    connection.fields.set(answerKey, { value: answers });
}

// Python, what its functions do with lists: map, reduce, chain and the like.
export const listOf = (element: Value): Value => [{ ...newObject(), element: { value: element } }];

export function tupleOf(items: readonly Value[]): Value {
  const tuple = newObject(true);
  for (const [index, value] of items.entries()) tuple.fields.set(String(index), { value });
  return [tuple];
}

export type Context = { invocation: Invocation; source: readonly Expression[]; frame: Frame };

const callEach = (functions: Value, given: readonly Value[], { invocation, frame }: Context): Value =>
  join(
    ...ofKind(functions, "function").map((target) =>
      frame.flow.apply(target, { positional: given, named: new Map() }, frame, invocation.line),
    ),
  );

export function callOverList(context: Context): Value | undefined {
  const { invocation, source, frame } = context;
  const { name, args, line } = invocation;
  const [first = [], second = []] = args.positional;
  const items = (value: Value) => iterate(value, frame, line);
  switch (name) {
    case "map":
    case "imap":
    case "imap_unordered":
    case "takewhile":
    case "dropwhile":
    case "filter":
    case "filterfalse": {
      const made = callEach(first, args.positional.slice(1).map(items), context);
      // `map(str, parts)` keeps texts as they are.
      const isPlain = ofKind(first, "function").length === 0 && source[0]?.kind === "name";
      return /map$|unordered/.test(name) && !isPlain ? listOf(made) : second;
    }
    case "starmap":
      return listOf(
        join(...items(second).map((item) => callEach(first, orderedItems([item]) ?? [], context))),
      );
    case "reduce":
      return join(
        args.positional[2] ?? [],
        callEach(first, [args.positional[2] ?? [], items(second)], context),
      );
    case "chain":
      return listOf(join(args.rest ?? [], ...args.positional.map(items)));
    case "from_iterable":
      return listOf(items(items(first)));
    case "islice":
    case "cycle":
    case "batched":
      return name === "batched" ? listOf(first) : first;
    case "nlargest":
    case "nsmallest":
    case "groupby":
    case "max":
    case "min": {
      const over = /^n/.test(name) ? second : first;
      const key = args.named.get("key") ?? (name === "groupby" ? second : []);
      if (ofKind(key, "function").length === 0) return undefined;
      checkNumberUse(callEach(key, [items(over)], context), frame, line);
      if (name === "groupby") return listOf(tupleOf([[], listOf(items(over))]));
      return /^n/.test(name) ? over : items(over);
    }
    default:
      return undefined;
  }
}
