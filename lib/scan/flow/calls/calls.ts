// Evaluates a call of the tree's own code, of a known function, or of V1.

import type { Argument, Expression } from "../code.ts";
import { collectTouched } from "../frame.ts";
import { calleeName, checkFallback, rootName } from "../hazards.ts";
import { enter, enterNames, readSlot } from "../values/access.ts";
import { type Arguments, type Frame, type Invocation, metOf, type Value } from "../values/atoms.ts";
import { buildText } from "../values/texts.ts";
import { decodeAnswer, learnAsked } from "../values/types.ts";
import {
  dataOf,
  dereference,
  elementsOf,
  fill,
  findCell,
  foreign,
  isBody,
  itemAt,
  join,
  ofKind,
  orderedItems,
  wrap,
} from "../values/values.ts";
import { callOutside, giveAnswer, pathsMade } from "./callbacks.ts";
import { callablesOf, callTargets, decodeInto, isTarget } from "./classes.ts";
import { callKnown } from "./lists.ts";
import { ask, isClient, isOther, makeClient } from "./requests.ts";
import { noteAnswer } from "./routes.ts";

type Call = Extract<Expression, { kind: "call" }>;

/** `f(g())`: the results of one call are the arguments of the other. */
function spreadResults(positional: Value[]): Value[] {
  const [only = []] = positional;
  const [many] = positional.length === 1 ? ofKind(only, "object").filter(({ isMany }) => isMany) : [];
  return many ? [...many.fields.keys()].map((_, index) => itemAt(only, index)) : positional;
}

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
    for (const { fields } of ofKind(given, "object"))
      for (const [key, cell] of fields) named.set(key, cell.value);
  }
  return { positional: spreadResults(positional), named, ...(rest && { rest }) };
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
  const { module, code } = frame;
  const owner = callee.of.kind === "name" ? callee.of.name : "";
  // A parameter whose type is of a package outside the tree has no methods of the tree's.
  const declared = code?.params.find(({ name }) => name === owner)?.type ?? "";
  const isOutside = module.outside.has(owner) || (declared.includes(".") && receiver?.length === 0);
  if (found.length > 0 || isOutside) return found;
  return module.language.findMethods?.(callee.key, receiver ?? [], module) ?? [];
}

/** body.get("score", 0): a read with a default. */
function readByMethod(
  { callee, name, receiver = [], args, line, source }: Invocation,
  frame: Frame,
): Value | undefined {
  const keys = ofKind(args.positional[0] ?? [], "text");
  const held = dereference(receiver);
  const data = dataOf(held);
  if (!/^(get|pop|setdefault|getattr)$/.test(name) || keys.length === 0) return undefined;
  if (held.length === 0 && callee.kind === "member") {
    const kept = readSlot({ kind: "element", of: callee.of, index: source[0], line }, frame);
    return kept.length > 0 ? kept : undefined;
  }
  if (data.length === 0) return undefined;
  const value = enterNames(held, keys, frame, line);
  const instead = source[1];
  if (value.length > 0 && instead) checkFallback(value, instead, frame, line);
  return value;
}

/** The place for the response of a request that is not sent yet, and where a connection keeps one for later. */
export const [resultKey, answerKey] = ["<result>", "<answer>"];

/** A client that is asked first and read later has the answer from now on. */
function keepAnswer({ callee, name, receiver = [] }: Invocation, answers: Value, frame: Frame): void {
  for (const { fields } of ofKind(receiver, "object")) {
    for (const { cell } of ofKind(fields.get(resultKey)?.value ?? [], "reference"))
      decodeAnswer(cell, answers, frame);
    fields.set(answerKey, { value: answers });
  }
  const isOpened = name === "open" && callee.kind === "member" && callee.of.kind === "name";
  const cell = isOpened ? findCell(frame.scope, rootName(callee)) : undefined;
  if (cell) fill(cell, answers);
}

export function evaluateCall(call: Call, frame: Frame): Value {
  const { callee, line } = call;
  const { language } = frame.module;
  const said = calleeName(callee);
  const name = (callee.kind === "name" && frame.module.aliases.get(said)) || said;
  let receiver: Value | undefined;
  const met = collectTouched(frame, () => {
    if (callee.kind === "member") receiver = frame.flow.evaluate(callee.of, frame);
  });
  const args = readArguments(call.args, frame);
  const targets = resolveTargets(callee, receiver, frame);
  if (targets.some(isTarget)) {
    const value = callTargets(targets, args, call, frame, line);
    learnAsked(call.as, value, frame);
    return value;
  }
  const source = call.args.map(({ value }) => value);
  const invocation: Invocation = { callee, name, receiver, args, met, line, call, source, targets };
  noteAnswer(invocation, frame.flow.running, frame.flow);
  const asked: Expression = name === said ? callee : { kind: "name", name, line: callee.line };
  const request = { callee: asked, receiver, args };
  const first = language.callFirst?.(invocation, frame) ?? buildText(invocation);
  if (first) return first;
  const made = makeClient(request) ?? readByMethod(invocation, frame);
  if (made) return made;
  const answers = ask(request, callee.kind === "name" ? targets : (receiver ?? []), frame, line);
  if (answers) {
    keepAnswer(invocation, answers, frame);
    return giveAnswer(args, answers, frame, line);
  }
  if (isClient(receiver ?? []) || /^use[A-Z]/.test(name)) {
    const positional = pathsMade(args, frame, line);
    const later = ask({ ...request, args: { ...args, positional } }, receiver ?? [], frame, line);
    if (later) return giveAnswer(args, wrap(later), frame, line);
  }
  if (isOther(request, frame)) return giveAnswer(args, [foreign], frame, line);
  const decoded = decodeInto(receiver ?? [], args, frame);
  const known =
    language.callLast?.(invocation, frame) ??
    callKnown(invocation, frame) ??
    (decoded.length > 0 ? decoded : undefined);
  if (known) {
    for (const atom of dataOf(known))
      if (atom.basis !== "name" && (isBody(atom) || atom.isWrapped)) frame.touched.add(metOf(atom));
    return known;
  }
  return join(passOn(name, receiver ?? [], frame), callOutside(args, frame, line));
}

/** Builders give themselves back; an answer's own methods give the answer. */
function passOn(name: string, receiver: Value, { module }: Frame): Value {
  const held = dereference(receiver);
  if (isClient(held)) return held;
  const isOwn = module.language.answerMethods.test(name);
  return held.filter((atom) => {
    if (atom.kind === "foreign") return true;
    // The answer of a route of the tree is wrapped.
    if (atom.kind === "object") return isOwn && atom.isWrapped;
    return isOwn && atom.kind === "data" && (isBody(atom) || atom.isWrapped);
  });
}
