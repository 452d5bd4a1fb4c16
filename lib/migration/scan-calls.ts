// A call: of the tree's own code, of a known function, or of V1.
import { elementsOf, enter } from "./scan-access.ts";
import type { Argument, Expression } from "./scan-code.ts";
import { type Arguments, collectTouched, type Flow, type Frame } from "./scan-frame.ts";
import { calleeName, checkFallback, rootName } from "./scan-hazards.ts";
import { callKnown, type Invocation } from "./scan-lists.ts";
import { ask, isClient, makeClient } from "./scan-requests.ts";
import { buildText } from "./scan-texts.ts";
import {
  type ClassAtom,
  dataOf,
  dereference,
  fill,
  findCell,
  isBody,
  join,
  newObject,
  ofKind,
  type Value,
} from "./scan-values.ts";

type Call = Extract<Expression, { kind: "call" }>;

function readArguments(args: readonly Argument[], frame: Frame, flow: Flow): Arguments {
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  for (const { name, value } of args) {
    const given = flow.evaluate(value, frame);
    if (name === undefined) positional.push(given);
    else named.set(name, given);
  }
  return { positional, named };
}

/** `new Client(…)`, `Holder(**body)`: constructors run, and a spread record is read field by field. */
function construct(target: ClassAtom, args: Arguments, frame: Frame, line: number, flow: Flow): Value {
  const { instance } = target;
  const spread = dataOf(dereference(args.named.get("**") ?? []));
  if (spread.length > 0) return spread;
  for (const name of ["constructor", "__init__"]) {
    for (const method of ofKind(instance.fields.get(name)?.value ?? [], "function"))
      flow.apply(method, args, frame, line);
  }
  if (target.declared.length === 0) return [instance];
  const made = newObject();
  made.beneath = [instance];
  for (const [name, value] of args.named) made.fields.set(name, { value });
  target.declared.forEach(({ name }, index) => {
    const value = args.positional[index];
    if (value) made.fields.set(name, { value });
  });
  return [made];
}

const decoders =
  /^(Decode|Unmarshal|SetResult|SetSuccessResult|ShouldBind\w*|BindJSON|ReadJSON|Receive(Success)?|Into|ToJSON|Scan|UnmarshalRead)$/;
const resultKey = "<result>";

/** Go: the answer goes into what a pointer points at. */
function decode(
  { name, receiver = [], args }: Invocation,
  source: readonly Argument[],
  frame: Frame,
): boolean {
  if (frame.module.language !== "go" || !decoders.test(name)) return false;
  const target = args.positional.at(-1) ?? [];
  const references = ofKind(target, "reference");
  const cells = references.map(({ cell }) => cell);
  const last = source.at(-1)?.value;
  if (cells.length === 0 && last?.kind === "name") {
    const cell = findCell(frame.scope, last.name);
    if (cell) cells.push(cell);
  }
  const bytes = args.positional.length > 1 ? (args.positional[0] ?? []) : receiver;
  const data = dataOf(dereference(bytes));
  for (const { node } of data) frame.touched.add(node.endpoint);
  for (const cell of cells) {
    fill(cell, data);
    // A client that asks later fills it then.
    for (const client of ofKind(receiver, "object"))
      client.fields.set(resultKey, { value: [{ kind: "reference", cell }] });
  }
  return data.length > 0 || isClient(receiver);
}

/** Go: a method of the package by its name alone, where the receiver's type is not known. */
function methodsByName(callee: Expression, { module }: Frame): Value {
  if (module.language !== "go" || callee.kind !== "member") return [];
  if (callee.of.kind === "name" && module.outside.has(callee.of.name)) return [];
  const found = module.methods.get(callee.key) ?? [];
  return found.length === 1 ? found : [];
}

function callTargets(targets: Value, args: Arguments, frame: Frame, line: number, flow: Flow): Value {
  return join(
    ...targets.map((target): Value => {
      if (target.kind === "function") return flow.apply(target, args, frame, line);
      if (target.kind === "class") return construct(target, args, frame, line, flow);
      if (target.kind === "setter") fill(target.cell, args.positional[0] ?? []);
      return [];
    }),
  );
}

const isTarget = ({ kind }: Value[number]) => kind === "function" || kind === "class" || kind === "setter";

function resolveTargets(callee: Expression, receiver: Value | undefined, frame: Frame, flow: Flow): Value {
  if (callee.kind !== "member") return flow.evaluate(callee, frame);
  // Methods of V1's values are the language's own; only objects of the tree have others.
  const objects = dereference(receiver ?? []).filter(({ kind }) => kind === "object" || kind === "class");
  const found =
    objects.length > 0 ? enter(objects, callee.key, frame, callee.line, flow).filter(isTarget) : [];
  const isUnknown = dereference(receiver ?? []).every(({ kind }) => kind === "object");
  return found.length > 0 ? found : isUnknown ? methodsByName(callee, frame) : [];
}

/** body.get("score", 0): a read with a default. */
function readByMethod(
  { name, receiver = [], args, line }: Invocation,
  source: readonly Argument[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const [key] = ofKind(args.positional[0] ?? [], "text");
  const held = dereference(receiver);
  const data = dataOf(held);
  if (!/^(get|pop|setdefault|getattr)$/.test(name) || !key || data.length === 0) return undefined;
  const value = enter(held, key.text, frame, line, flow);
  const instead = source[1]?.value;
  if (value.length > 0 && instead) checkFallback(value, instead, frame, line, flow);
  return value;
}

function callbackValues(
  args: Arguments,
  given: readonly Value[],
  frame: Frame,
  line: number,
  flow: Flow,
): void {
  for (const value of [...args.positional, ...args.named.values()]) {
    for (const target of ofKind(value, "function"))
      flow.apply(target, { positional: given, named: new Map() }, frame, line);
  }
}

export function evaluateCall(call: Call, frame: Frame, flow: Flow): Value {
  const { callee, line } = call;
  const name = calleeName(callee);
  let receiver: Value | undefined;
  const met = collectTouched(frame, () => {
    if (callee.kind === "member") receiver = flow.evaluate(callee.of, frame);
  });
  const args = readArguments(call.args, frame, flow);
  const [first = []] = args.positional;
  if (callee.kind === "name" && name === "require") {
    const module = flow.importModule(frame.module, ofKind(first, "text")[0]?.text ?? "");
    return module ? [{ ...newObject(), fields: module.exported.names }] : [];
  }
  const targets = resolveTargets(callee, receiver, frame, flow);
  if (targets.some(isTarget)) return callTargets(targets, args, frame, line, flow);
  const invocation: Invocation = { callee, name, receiver, args, met, line };
  const source = call.args.map(({ value }) => value);
  const request = { callee, receiver, positional: args.positional, named: args.named };
  const text = buildText({ name, receiver, ...args });
  if (text) return text;
  const client = makeClient(request);
  if (client) {
    if (callee.kind === "member" && callee.of.kind === "name") {
      const cell = findCell(frame.scope, callee.of.name);
      if (cell && /^set/i.test(name)) cell.value = client;
    }
    return client;
  }
  if (decode(invocation, call.args, frame)) return receiver ?? [];
  const read = readByMethod(invocation, call.args, frame, flow);
  if (read) return read;
  const answers = ask(request, callee.kind === "name" ? targets : (receiver ?? []), frame, line, flow);
  if (answers) {
    for (const held of ofKind(dereference(receiver ?? []), "object")) {
      for (const reference of ofKind(held.fields.get(resultKey)?.value ?? [], "reference"))
        fill(reference.cell, answers);
    }
    callbackValues(args, [answers], frame, line, flow);
    return answers;
  }
  const known = callKnown(invocation, source, frame, flow);
  if (known) {
    for (const { node, basis } of dataOf(known)) if (basis !== "name") frame.touched.add(node.endpoint);
    return known;
  }
  // `groupBy(list, each)`: what the list holds, the callback gets.
  const elements = join(...args.positional.map((value) => elementsOf(value.filter(isListed))));
  const isCounted = name === "each" && rootName(callee) === "$";
  const given = isCounted ? [[], elements] : [elements];
  callbackValues(args, elements.length > 0 ? given : [], frame, line, flow);
  return passOn(name, receiver ?? [], args, frame);
}

const isListed = (atom: Value[number]) => atom.kind === "object" || (atom.kind === "data" && !isBody(atom));

const answerMethods =
  /^(json|text|data|read|getData|arrayBuffer|blob|content|clone|on|retry|set|query|header|end|body|raise_for_status)$/;

/** Builders give themselves back; an answer's own methods give the answer. */
function passOn(name: string, receiver: Value, args: Arguments, { module }: Frame): Value {
  const held = dereference(receiver);
  if (isClient(held)) return held;
  const body = dataOf(held).filter(isBody);
  if (module.language === "go" || answerMethods.test(name)) return join(body, handedOn(args));
  return handedOn(args);
}

/** What a function outside the tree makes of an answer is most likely still the answer, less surely. */
const handedOn = ({ positional }: Arguments): Value =>
  positional.flatMap((value) =>
    dataOf(dereference(value))
      .filter(isBody)
      .map((atom) => ({ ...atom, basis: "type" as const })),
  );
