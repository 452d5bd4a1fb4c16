// Python: how built-in functions and well-known libraries process values, and what the interpreter asks about it.
import { callEach } from "../../flow/calls/callbacks.ts";
import { answerKey } from "../../flow/calls/calls.ts";
import { callTargets } from "../../flow/calls/classes.ts";
import { noArguments } from "../../flow/frame.ts";
import { checkNumberUse } from "../../flow/hazards.ts";
import { enter, enterPath } from "../../flow/values/access.ts";
import type { Frame, Hook, Invocation, Language, Value } from "../../flow/values/atoms.ts";
import { placeholder } from "../../flow/values/texts.ts";
import {
  dataOf,
  elementsOf,
  fill,
  fillField,
  join,
  listOf,
  newObject,
  ofKind,
  remember,
  tupleOf,
} from "../../flow/values/values.ts";
import { includeName, runTemplate } from "../templates.ts";
import { callTable, readElement, writeRows } from "./tables.ts";

/** `with`: what a manager gives on entering; most give themselves. */
function enterManager({ receiver = [], line }: Invocation, frame: Frame): Value {
  const managers = ofKind(receiver, "object");
  const methods = managers.length > 0 ? ofKind(enter(managers, "__aenter__", frame, line), "function") : [];
  const entered = methods.map((method) => frame.flow.apply(method, noArguments, frame, line));
  return methods.length > 0 ? join(...entered) : receiver;
}

/** Tasks of Celery, Prefect, Huey and Ray: a function of the tree that its library calls. */
function runTask({ name, receiver = [], args, call, line }: Invocation, frame: Frame): Value | undefined {
  const tasks = ofKind(receiver, "function");
  if (tasks.length === 0) return undefined;
  if (/^(delay|submit|remote|spawn|schedule|fn|s)$/.test(name))
    return callTargets(tasks, args, call, frame, line);
  if (!/^(map|starmap)$/.test(name)) return undefined;
  const each = { ...args, positional: args.positional.map(elementsOf) };
  return listOf(callTargets(tasks, each, call, frame, line));
}

/** `"{name} ({value})".format(**credential)`: the placeholders are keys of the record. */
function readPlaceholders({ name, receiver = [], args, line }: Invocation, frame: Frame): undefined {
  const records = name === "format" ? dataOf(args.named.get("**") ?? []) : [];
  for (const { text } of records.length > 0 ? ofKind(receiver, "text") : [])
    for (const [, , key = ""] of text.matchAll(placeholder)) enter(records, key, frame, line);
}

const containers =
  /^(dict|list|set|deque|OrderedDict|Counter|defaultdict|(\w*Queue)|Namespace|Box|HTTPS?Connection)$/;

/** `defaultdict(list)` holds a list under whatever key. */
function makeContainer({ callee, name, args, source }: Invocation, frame: Frame): Value | undefined {
  const isDefault = name === "defaultdict";
  if (!containers.test(name)) return undefined;
  if (args.positional.length > 0 && !/^(defaultdict|\w*Queue|HTTPS?Connection)$/.test(name)) return undefined;
  const known = remember(frame.made, callee, newObject);
  const [factory] = source;
  if (isDefault && factory?.kind === "name" && known.element.value.length === 0)
    known.element.value = [newObject()];
  return [known];
}

/** A dictionary or a queue of the code's own: what was put in comes out. */
function takeFrom({ name, receiver = [], args, line }: Invocation, frame: Frame): Value | undefined {
  const own = ofKind(receiver, "object").filter(({ isTable }) => !isTable);
  if (name === "getresponse") return own.flatMap(({ fields }) => fields.get(answerKey)?.value ?? []);
  if (/^(result|get_result|unwrap|unwrap_or)$/.test(name) && receiver.length > 0) return receiver;
  if (!/^(get|get_nowait|setdefault)$/.test(name)) return undefined;
  if (args.positional.length === 0) return join(dataOf(receiver), elementsOf(own));
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

/** `glom(body, "passport.score")`, `jmespath.search("passport.score", body)`. */
function readPath({ name, args, line }: Invocation, frame: Frame): Value | undefined {
  const data = args.positional.flatMap(dataOf);
  const [path] = args.positional.flatMap((value) => ofKind(value, "text"));
  if (!/^(search|glom|get|get_in|getpath|deep_get)$/.test(name) || data.length === 0 || !path)
    return undefined;
  const steps = path.text.split(/[./[\]*]+/).filter((step) => step !== "");
  return enterPath(data, { steps, via: path.via }, frame, line);
}

const settings = /^(environ|env|config|conf|settings|options|opts|secrets|cfg|getenv)$/i;

/** `os.environ.get("BASE", "https://…")`: as far as the source says, the default. */
function readSetting({ callee, name, args }: Invocation): Value | undefined {
  const holder = callee.kind === "member" ? callee.of : callee;
  const holderName = holder.kind === "member" ? holder.key : holder.kind === "name" ? holder.name : "";
  const isSetting =
    name === "getenv" ||
    (settings.test(holderName) && (callee.kind === "name" || /^(get|str|url)$/.test(name)));
  if (!isSetting) return undefined;
  const defaults = [args.positional[1], args.named.get("default"), args.named.get("fallback")];
  return defaults.flatMap((value) => ofKind(value ?? [], "text"));
}

/** `render_template("guest.html", passport=…)`, `render(request, "guest.html", {…})`, `get_template("…").render(…)`. */
function renderTemplate({ name, receiver = [], args }: Invocation, frame: Frame): Value | undefined {
  const given = [...args.positional, ...args.named.values()].flat();
  const texts = ofKind([...receiver, ...given], "text");
  if (name === "get_template") return texts;
  const isIncluded = name === includeName;
  if (!isIncluded && !/^(render|render_\w+|TemplateResponse)$/.test(name)) return undefined;
  const around = isIncluded ? [...frame.scope.names] : [];
  const context = [...around, ...ofKind(given, "object").flatMap(({ fields }) => [...fields])];
  const variables = context.map(([key, { value }]): [string, Value] => [key, value]);
  for (const { text } of texts) runTemplate(text, [...variables, ...args.named], frame);
  return undefined;
}

function callLast(invocation: Invocation, frame: Frame): Value | undefined {
  const { name, args } = invocation;
  if (name === "__enter__") return enterManager(invocation, frame);
  if (name === "gather")
    return args.rest ? listOf(join(args.rest, ...args.positional)) : tupleOf(...args.positional);
  return (
    callTable(invocation, frame) ??
    writeRows(invocation, frame) ??
    readPath(invocation, frame) ??
    callOverList(invocation, frame) ??
    makeContainer(invocation, frame) ??
    takeFrom(invocation, frame)
  );
}

function callOverList(invocation: Invocation, frame: Frame): Value | undefined {
  const { callee, name, receiver = [], args, line, source } = invocation;
  const [first = [], second = []] = args.positional;
  if (name === "map") {
    // `map(str, parts)` keeps texts as they are.
    const isPlain = ofKind(first, "function").length === 0 && source[0]?.kind === "name";
    return isPlain ? second : listOf(callEach(first, args.positional.slice(1).map(elementsOf), frame, line));
  }
  if (name === "filter" && callee.kind === "name") {
    callEach(first, [elementsOf(second)], frame, line);
    return second;
  }
  if (name === "groupby" && callee.kind === "name") {
    callEach([...second, ...(args.named.get("key") ?? [])], [elementsOf(first)], frame, line);
    return listOf(tupleOf([], listOf(elementsOf(first))));
  }
  // `random.choice(people)`, `st.selectbox("Who?", people)`
  if (/^(choice|selectbox|radio)$/.test(name)) {
    const items = elementsOf(join(first, second));
    callEach(args.named.get("format_func") ?? [], [items], frame, line);
    return items;
  }
  // A column of records is gone through like a list of them.
  const column = name === "apply" ? dataOf(receiver) : [];
  if (column.length > 0) return listOf(callEach(first, [column], frame, line));
  const key = args.named.get("key") ?? [];
  if (!/^(max|min|nlargest|nsmallest)$/.test(name) || ofKind(key, "function").length === 0) return undefined;
  const over = name.startsWith("n") ? second : first;
  checkNumberUse(callEach(key, [elementsOf(over)], frame, line), frame, line);
  return name.startsWith("n") ? over : elementsOf(over);
}

/** The declared fields of an instance, by name and, where it is a tuple with names, by position. */
const construct: Hook<"construct"> = (type, made, { positional, named }) => {
  if (type.declared.length === 0) return;
  for (const [name, value] of named) fillField(made, name, value);
  type.declared.forEach(({ name }, index) => {
    const value = positional[index] ?? named.get(name);
    for (const key of value ? [name, String(index)] : []) fillField(made, key, value!);
  });
  made.isTuple = made !== type.instance;
};

export const python: Language = {
  id: "python",
  keys: "alias",
  readsAnyKey: false,
  methods: {
    constructors: ["__init__", "__post_init__"],
    call: ["__call__"],
    get: ["__getitem__", "__getattr__"],
  },
  answerMethods: /^(json|text|data|a?read|content|body|raise_for_status)$/,
  callbackDepth: 0,
  callFirst: (invocation, frame) =>
    runTask(invocation, frame) ??
    readPlaceholders(invocation, frame) ??
    renderTemplate(invocation, frame) ??
    readSetting(invocation),
  callLast,
  construct,
  readElement,
};
