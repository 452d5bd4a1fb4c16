// Evaluates a call of the tree's own code, of a known function, or of V1.

import { callGo, spreadResults } from "../../languages/go/calls.ts";
import { fillResult, learnAsked } from "../../languages/go/decode.ts";
import { findMethods } from "../../languages/go/types.ts";
import { callPython, keepAnswer, readSetting } from "../../languages/python/library.ts";
import type { Argument, Expression } from "../code.ts";
import type { Invocation } from "../frame.ts";
import { type Arguments, collectTouched, type Frame } from "../frame.ts";
import { calleeName, checkFallback } from "../hazards.ts";
import { enter } from "../values/access.ts";
import { metOf, type Value } from "../values/atoms.ts";
import { atCaller } from "../values/origin.ts";
import { buildText } from "../values/texts.ts";
import {
  dataOf,
  dereference,
  elementsOf,
  fill,
  findCell,
  foreign,
  isBody,
  join,
  newObject,
  ofKind,
  orderedItems,
  wrap,
} from "../values/values.ts";
import { callOutside, giveAnswer, openStore, pathsMade, readAccessor, settle } from "./callbacks.ts";
import { callablesOf, callTargets, decodeInto, isTarget, makeSchema } from "./classes.ts";
import { readLoaded } from "./handlers.ts";
import { callKnown } from "./lists.ts";
import { ask, asksDatabase, isClient, isOther, makeClient } from "./requests.ts";
import { noteAnswer } from "./routes.ts";

type Call = Extract<Expression, { kind: "call" }>;

function readArguments(args: readonly Argument[], frame: Frame): Arguments {
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  let rest: Value | undefined;
  for (const { name, value } of args) {
    if (value.kind === "spread" && name === undefined) {
      const list = frame.flow.evaluate(value.of, frame);
      const items = orderedItems(list);
      for (const item of items ?? [elementsOf(list)]) positional.push(item);
      if (!items) rest = join(rest ?? [], elementsOf(list));
      continue;
    }
    const given = frame.flow.evaluate(value, frame);
    if (name === undefined) positional.push(given);
    else named.set(name, given);
    if (name !== "**") continue;
    for (const { fields } of ofKind(dereference(given), "object"))
      for (const [key, cell] of fields) named.set(key, cell.value);
  }
  return spreadResults({ positional, named, ...(rest && { rest }) });
}

function resolveTargets(callee: Expression, receiver: Value | undefined, frame: Frame): Value {
  if (callee.kind !== "member") return callablesOf(frame.flow.evaluate(callee, frame), frame, callee.line);
  // Methods of V1's values are the language's own; only objects of the tree have others.
  const objects = dereference(receiver ?? []).filter(
    (atom) =>
      atom.kind === "object" ||
      atom.kind === "class" ||
      (atom.kind === "data" && frame.flow.models.has(atom.node)),
  );
  const found = objects.length > 0 ? enter(objects, callee.key, frame, callee.line).filter(isTarget) : [];
  if (found.length > 0) return found;
  return findMethods(callee, receiver ?? [], frame);
}

/** `this.passport()`: what an object of the tree has under the name. */
function heldUnder(
  { key, line }: Extract<Expression, { kind: "member" }>,
  receiver: Value | undefined,
  frame: Frame,
): Value {
  const objects = ofKind(dereference(receiver ?? []), "object");
  const isJavascript = frame.module.language === "javascript";
  return isJavascript && objects.length > 0 ? enter(objects, key, frame, line) : [];
}

/** body.get("score", 0): a read with a default. */
function readByMethod(
  { name, receiver = [], args, line }: Invocation,
  source: readonly Argument[],
  frame: Frame,
): Value | undefined {
  const keys = ofKind(args.positional[0] ?? [], "text");
  const held = dereference(receiver);
  const data = dataOf(held);
  if (!/^(get|pop|setdefault|getattr)$/.test(name) || keys.length === 0 || data.length === 0)
    return undefined;
  const value = join(
    ...keys.map(({ text, via }) => {
      const at = atCaller(frame, line, via);
      return enter(held, text, at.frame, at.line);
    }),
  );
  const instead = source[1]?.value;
  if (value.length > 0 && instead) checkFallback(value, instead, frame, line);
  return value;
}

export function evaluateCall(call: Call, frame: Frame): Value {
  const { callee, line, start = line } = call;
  const said = calleeName(callee);
  const name = (callee.kind === "name" && frame.module.aliases.get(said)) || said;
  let receiver: Value | undefined;
  const met = collectTouched(frame, () => {
    if (callee.kind === "member") receiver = frame.flow.evaluate(callee.of, frame);
  });
  const args = readArguments(call.args, frame);
  const [first = []] = args.positional;
  if (callee.kind === "name" && name === "require") {
    const module = frame.flow.importModule(frame.module, ofKind(first, "text")[0]?.text ?? "");
    return module ? [{ ...newObject(), fields: module.exported.names }] : [];
  }
  const targets = resolveTargets(callee, receiver, frame);
  if (targets.some(isTarget)) {
    const value = callTargets(targets, args, call, frame, start);
    learnAsked(call.as, value, frame);
    return value;
  }
  if (name === "Promise") return settle(args, frame, line);
  const kept =
    openStore(call, args, frame, line) ??
    readAccessor(
      callee.kind === "member" ? heldUnder(callee, receiver, frame) : targets,
      args,
      frame,
      line,
    ) ??
    readLoaded(name, receiver ?? [], frame, frame.flow);
  if (kept) return kept;
  const invocation: Invocation = { callee, name, receiver, args, met, line };
  noteAnswer(invocation, frame.flow.running, frame.flow);
  const source = call.args.map(({ value }) => value);
  const asked: Expression = name === said ? callee : { kind: "name", name, line: callee.line };
  const request = { callee: asked, receiver, positional: args.positional, named: args.named };
  const isPython = frame.module.language === "python";
  const setting = isPython ? readSetting(invocation) : undefined;
  if (setting) return setting;
  const built = buildText({ name, receiver, ...args }) ?? callGo(invocation, call.args, frame);
  if (built) return built;
  const client = makeClient(request);
  if (client) {
    if (callee.kind === "member" && callee.of.kind === "name") {
      const cell = findCell(frame.scope, callee.of.name);
      if (cell && /^set/i.test(name)) cell.value = client;
    }
    // A client of the tree's own making is one from here on.
    for (const self of name === "__init__" ? ofKind(frame.self, "object") : [])
      for (const { fields } of ofKind(client, "object"))
        for (const [key, cell] of fields) self.fields.set(key, cell);
    return client;
  }
  const schema = makeSchema(invocation, frame);
  if (schema) return schema;
  const read = readByMethod(invocation, call.args, frame);
  if (read) return read;
  const answers = ask(request, callee.kind === "name" ? targets : (receiver ?? []), frame, start);
  if (answers) {
    fillResult(receiver ?? [], answers, frame);
    if (isPython) keepAnswer(receiver ?? [], answers);
    // XMLHttpRequest: what was opened holds the answer later.
    if (name === "open" && callee.kind === "member" && callee.of.kind === "name") {
      const cell = findCell(frame.scope, callee.of.name);
      if (cell) fill(cell, answers);
    }
    return giveAnswer(args, answers, frame, line);
  }
  if (isClient(receiver ?? []) || /^use[A-Z]/.test(name)) {
    const positional = pathsMade(args, frame, line);
    const later = ask({ ...request, positional }, receiver ?? [], frame, start);
    if (later) return giveAnswer(args, wrap(later), frame, line);
  }
  if (isOther(request, frame) || asksDatabase(request, frame))
    return giveAnswer(args, [foreign], frame, line);
  const decoded = decodeInto(receiver ?? [], args, frame.flow);
  const known =
    (isPython ? callPython(invocation, source, frame) : undefined) ??
    callKnown(invocation, source, frame) ??
    (decoded.length > 0 ? decoded : undefined);
  if (known) {
    for (const atom of dataOf(known)) if (atom.basis !== "name") frame.touched.add(metOf(atom));
    return known;
  }
  return join(passOn(name, receiver ?? [], frame), callOutside(args, frame, line));
}

const answerMethods =
  /^(json|text|data|read|getData|arrayBuffer|blob|content|clone|toString|on|retry|set|query|header|end|body|raise_for_status)$/;

/** Go: what an answer has beside its body. */
const besideAnswer = /^(Err|Error|Status)$/;

/** Builders give themselves back; an answer's own methods give the answer. */
function passOn(name: string, receiver: Value, { module }: Frame): Value {
  const held = dereference(receiver);
  if (isClient(held)) return held;
  const isOwn = module.language === "go" ? !besideAnswer.test(name) : answerMethods.test(name);
  return held.filter((atom) => {
    if (atom.kind === "foreign") return true;
    // The answer of a route of the tree is wrapped.
    if (atom.kind === "object") return isOwn && atom.isWrapped;
    return isOwn && atom.kind === "data" && (isBody(atom) || (atom.isWrapped && answerMethods.test(name)));
  });
}
