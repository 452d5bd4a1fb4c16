// The value of an expression.

import { hole, joinPath, mentionsResource } from "../names/addresses.ts";
import { evaluateCall } from "./calls/calls.ts";
import { type Expression, isNull } from "./code.ts";
import { collectTouched, siteOf } from "./frame.ts";
import { checkFallback, checkNumbers } from "./hazards.ts";
import { bindPattern, findPlace } from "./statements/binding.ts";
import { enter, enterNames, readSlot } from "./values/access.ts";
import type { Frame, Literal, Value } from "./values/atoms.ts";
import { evaluateList, evaluateObject } from "./values/objects.ts";
import { addParts, collect, formatText } from "./values/texts.ts";
import { namedRecord, typedValue } from "./values/types.ts";
import {
  concatenate,
  dataOf,
  dereference,
  elementsOf,
  fill,
  findCell,
  isBody,
  itemAt,
  join,
  ofKind,
  plainText,
} from "./values/values.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

const literals = new WeakMap<Expression, Literal>();

/** A V1 path as it is written, to find the ones that no call takes. */
function rememberLiteral(expression: Expression, text: string, frame: Frame): Literal | undefined {
  if (!mentionsResource(text)) return undefined;
  const known = literals.get(expression);
  if (known) return known;
  const literal: Literal = { ...siteOf(frame, expression.line), text, isUsed: false };
  literals.set(expression, literal);
  if (frame.flow.matcher.askedEndpoint(text)?.isSure && !/\s/.test(text)) frame.flow.literals.push(literal);
  return literal;
}

function evaluateText(expression: Of<"text">, frame: Frame): Value {
  const parts = expression.parts.map((part) =>
    typeof part === "string" ? [plainText(part)] : frame.flow.evaluate(part, frame),
  );
  const own = expression.parts.some((part) => typeof part === "string" && mentionsResource(part));
  return ofKind(concatenate(parts), "text").map((atom) => {
    const literal = own ? rememberLiteral(expression, atom.text, frame) : undefined;
    return literal ? { ...atom, literals: [...atom.literals, literal] } : atom;
  });
}

function evaluateElement(expression: Of<"element">, frame: Frame): Value {
  const value = frame.flow.evaluate(expression.of, frame);
  if (value.length === 0) return readSlot(expression, frame);
  // `get[T]`: still the function.
  const functions = ofKind(value, "function");
  if (functions.length > 0) return functions;
  const index = expression.index ? frame.flow.evaluate(expression.index, frame) : [];
  const own = frame.module.language.readElement?.(value, index, frame, expression.line);
  if (own) return own;
  const inner = enterNames(value, index, frame, expression.line);
  if (inner.length > 0) return inner;
  // `paths[KindList]`, where the map was written with the same name.
  const named = expression.index?.kind === "name" ? expression.index.name : undefined;
  const same = named ? ofKind(value, "object").flatMap(({ fields }) => fields.get(named)?.value ?? []) : [];
  if (same.length > 0) return same;
  const position = expression.index?.kind === "constant" ? Number(expression.index.value) : Number.NaN;
  const isTuple = ofKind(value, "object").some((atom) => atom.isTuple);
  return Number.isInteger(position) && isTuple ? itemAt(value, position) : elementsOf(value);
}

/** `result.status === "fulfilled"`, `result.ok`, also before an `&&`. */
const isSettled = (test: Expression): boolean => {
  if (test.kind === "choice") return isSettled(test.test);
  if (test.kind === "member") return /^(ok|success)$/.test(test.key);
  return test.kind === "operation" && test.right.kind === "text" && test.right.parts[0] === "fulfilled";
};

/** `test ? value : 0` and `test ? 0 : value` put a default in the value's place, as `||` does. */
function evaluateChoice(expression: Of<"choice">, frame: Frame): Value {
  let tested: Value = [];
  const met = collectTouched(frame, () => {
    tested = frame.flow.evaluate(expression.test, frame);
  });
  const yes = frame.flow.evaluate(expression.yes, frame);
  const no = frame.flow.evaluate(expression.no, frame);
  // `query ? search(query) : []`: nothing of V1 is missing.
  const isOfV1 = met.size > 0 || tested.length > 0 || isSettled(expression.test);
  if (isOfV1) checkFallback(yes, expression.no, frame, expression.line);
  // `calculating_score ? null : score`: V1 itself says that there is none.
  const isSaid = dataOf(tested).length > 0 && isNull(expression.yes);
  if (isOfV1 && !isSaid) checkFallback(no, expression.yes, frame, expression.line);
  return yes.length === 0 ? orUnknown(yes, no) : orUnknown(no, yes);
}

/** `id ?? ""` is still an id that is not known, and no empty text. */
const orUnknown = (value: Value, instead: Value): Value =>
  value.length === 0 && ofKind(instead, "text").some(({ text }) => text === "")
    ? [plainText(hole)]
    : join(value, instead);

/** `$passport` is what the store `passport` holds; a name that nobody gives a value may be a record by what is read from it. */
const readUnbound = (name: string, frame: Frame): Value =>
  name.startsWith("$") ? (findCell(frame.scope, name.slice(1))?.value ?? []) : namedRecord(name, frame);

export function evaluateExpression(expression: Expression, frame: Frame): Value {
  frame.flow.steps += 1;
  if (frame.flow.steps > frame.flow.stepLimit) {
    frame.flow.cut.add(frame.flow.start);
    return [];
  }
  switch (expression.kind) {
    case "text":
      return evaluateText(expression, frame);
    case "constant":
      return [];
    case "name":
      if (expression.name === "this" || expression.name === "super") return frame.self;
      return findCell(frame.scope, expression.name)?.value ?? readUnbound(expression.name, frame);
    case "member": {
      const of = frame.flow.evaluate(expression.of, frame);
      const value = enter(of, expression.key, frame, expression.line);
      return value.length + of.length > 0 ? value : readSlot(expression, frame);
    }
    case "element":
      return evaluateElement(expression, frame);
    case "call":
      return evaluateCall(expression, frame);
    case "function":
      return [frame.flow.makeFunction(expression.code, frame)];
    case "object":
      return evaluateObject(expression, frame);
    case "list":
      return evaluateList(expression, frame);
    case "spread":
      return elementsOf(frame.flow.evaluate(expression.of, frame));
    case "fallback": {
      const { of } = expression;
      const value = frame.flow.evaluate(of, frame);
      // `passport?.verified_wallets.length ?? 0`
      const isLength = of.kind === "member" && of.key === "length";
      const hidden = isLength ? frame.flow.evaluate(of.of, frame) : value;
      if (!expression.isGroup) checkFallback(hidden, expression.instead, frame, expression.line);
      return orUnknown(value, frame.flow.evaluate(expression.instead, frame));
    }
    case "choice":
      return evaluateChoice(expression, frame);
    case "operation":
      return evaluateOperation(expression, frame);
    case "reference": {
      const own = findPlace(expression.of, frame);
      return [{ kind: "reference", cell: own ?? { value: frame.flow.evaluate(expression.of, frame) } }];
    }
    case "cast": {
      const value = frame.flow.evaluate(expression.of, frame);
      return value.length > 0 ? value : typedValue(expression.type, frame);
    }
    case "assignment": {
      const value = frame.flow.evaluate(expression.value, frame);
      bindPattern(expression.into, value, frame);
      return value;
    }
    case "collect":
      return collect(expression, frame);
    case "yield": {
      const value = frame.flow.evaluate(expression.of, frame);
      fill(frame.yielded, expression.each ? elementsOf(value) : value);
      return [];
    }
    case "markup":
      frame.module.language.render?.(expression, frame);
      return [];
    default:
      for (const part of expression.parts) frame.flow.evaluate(part, frame);
      return [];
  }
}

// Operators: what two values make together.
type Operation = Extract<Expression, { kind: "operation" }>;

export function evaluateOperation(expression: Operation, frame: Frame): Value {
  const left = dereference(frame.flow.evaluate(expression.left, frame));
  const right = dereference(frame.flow.evaluate(expression.right, frame));
  checkNumbers(expression, left, right, frame, expression.line);
  // A path that is compared is served here, or looked for.
  if (/^([=!]==?|in|not in)$/.test(expression.operator))
    for (const { literals } of ofKind([...left, ...right], "text"))
      for (const literal of literals) literal.isUsed = true;
  if (expression.operator === "%" && ofKind(left, "text").length > 0) {
    const [items] = ofKind(right, "object");
    const args = items ? [...items.fields.values()].map((cell) => cell.value) : [right];
    const named = items && !items.isTuple ? [...items.fields] : [];
    return formatText(left, args, new Map(named.map(([name, cell]) => [name, cell.value])));
  }
  // `"error" in body`
  if (expression.operator === "in") return ofKind(enterNames(right, left, frame, expression.line), "status");
  // Paths and URLs as objects.
  if (expression.operator === "/" && ofKind(left.length === 0 ? right : left, "text").length > 0)
    return concatenate([left, right], joinPath);
  if (expression.operator === "|") return join(left, right);
  if (expression.operator !== "+") return [];
  // Chunks of an answer, put together again.
  const body = [...dataOf(left), ...dataOf(right)].filter(isBody);
  if (body.length > 0) return body;
  const lists = ofKind(left, "object");
  const parts = addParts(left, right);
  if (parts) return parts;
  for (const list of lists) fill(list.element, elementsOf(right));
  if (lists.length > 0) return left;
  return [...left, ...right].some(({ kind }) => kind === "text") ? concatenate([left, right]) : [];
}
