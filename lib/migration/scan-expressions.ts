// The value of an expression.
import { askedEndpoint, mentionsResource } from "./consumer-paths.ts";
import { elementsOf, enter, itemAt } from "./scan-access.ts";
import { bindPattern } from "./scan-binding.ts";
import { evaluateCall } from "./scan-calls.ts";
import type { Expression } from "./scan-code.ts";
import { type Flow, type Frame, siteOf } from "./scan-frame.ts";
import { checkFallback, checkNumbers } from "./scan-hazards.ts";
import { formatText } from "./scan-texts.ts";
import {
  concatenate,
  dataOf,
  dereference,
  fill,
  findCell,
  isBody,
  join,
  type Literal,
  newObject,
  type ObjectAtom,
  ofKind,
  plainText,
  type Value,
} from "./scan-values.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

const literals = new WeakMap<Expression, Literal>();

/** A V1 path as it is written, to find the ones that no call takes. */
function rememberLiteral(
  expression: Expression,
  text: string,
  frame: Frame,
  flow: Flow,
): Literal | undefined {
  if (!mentionsResource(text)) return undefined;
  const known = literals.get(expression);
  if (known) return known;
  const literal: Literal = { ...siteOf(frame, expression.line), text, isUsed: false };
  literals.set(expression, literal);
  if (askedEndpoint(text)?.isSure && !/\s/.test(text)) flow.literals.push(literal);
  return literal;
}

function evaluateText(expression: Of<"text">, frame: Frame, flow: Flow): Value {
  const parts = expression.parts.map((part) =>
    typeof part === "string" ? [plainText(part)] : flow.evaluate(part, frame),
  );
  const own = expression.parts.some((part) => typeof part === "string" && mentionsResource(part));
  return ofKind(concatenate(parts), "text").map((atom) => {
    const literal = own ? rememberLiteral(expression, atom.text, frame, flow) : undefined;
    return literal ? { ...atom, literals: [...atom.literals, literal] } : atom;
  });
}

const madeAt = (expression: Expression, frame: Frame, isTuple: boolean): ObjectAtom => {
  const known = frame.made.get(expression) ?? newObject(isTuple);
  frame.made.set(expression, known);
  return known;
};

const fillField = (object: ObjectAtom, key: string, value: Value): void => {
  const cell = object.fields.get(key) ?? { value: [] };
  object.fields.set(key, cell);
  fill(cell, value);
};

function evaluateObject(expression: Of<"object">, frame: Frame, flow: Flow): Value {
  const [type] = ofKind(findCell(frame.scope, expression.type ?? "")?.value ?? [], "class");
  const object = type && !type.shape ? type.instance : madeAt(expression, frame, false);
  for (const { key, value } of expression.entries) {
    const given = flow.evaluate(value, frame);
    if (key === undefined) object.beneath = join(object.beneath, given);
    else fillField(object, key, given);
  }
  return [object];
}

function evaluateList(expression: Of<"list">, frame: Frame, flow: Flow): Value {
  const list = madeAt(expression, frame, true);
  let isOrdered = true;
  expression.items.forEach((item, index) => {
    const value = flow.evaluate(item, frame);
    isOrdered &&= item.kind !== "spread";
    if (isOrdered) fillField(list, String(index), value);
    else fill(list.element, value);
  });
  return [list];
}

function evaluateOperation(expression: Of<"operation">, frame: Frame, flow: Flow): Value {
  const left = dereference(flow.evaluate(expression.left, frame));
  const right = dereference(flow.evaluate(expression.right, frame));
  checkNumbers(expression, left, right, frame, expression.line, flow);
  if (expression.operator === "%" && ofKind(left, "text").length > 0) {
    const [items] = ofKind(right, "object");
    const args = items ? [...items.fields.values()].map((cell) => cell.value) : [right];
    return formatText(left, args, new Map());
  }
  if (expression.operator !== "+") return [];
  // Chunks of an answer, put together again.
  const body = [...dataOf(left), ...dataOf(right)].filter(isBody);
  if (body.length > 0) return body;
  const lists = ofKind(left, "object");
  for (const list of lists) fill(list.element, elementsOf(right));
  if (lists.length > 0) return left;
  return [...left, ...right].some(({ kind }) => kind === "text") ? concatenate([left, right]) : [];
}

function evaluateElement(expression: Of<"element">, frame: Frame, flow: Flow): Value {
  const value = flow.evaluate(expression.of, frame);
  const index = expression.index ? flow.evaluate(expression.index, frame) : [];
  const [key] = ofKind(index, "text");
  if (key) {
    const inner = enter(value, key.text, frame, expression.line, flow);
    if (inner.length > 0) return inner;
  }
  const position = expression.index?.kind === "constant" ? Number(expression.index.value) : Number.NaN;
  const isTuple = ofKind(dereference(value), "object").some((atom) => atom.isTuple);
  return Number.isInteger(position) && isTuple ? itemAt(value, position) : elementsOf(value);
}

/** `test ? value : 0` and `test ? 0 : value` put a default in the value's place, as `||` does. */
function evaluateChoice(expression: Of<"choice">, frame: Frame, flow: Flow): Value {
  flow.evaluate(expression.test, frame);
  const yes = flow.evaluate(expression.yes, frame);
  const no = flow.evaluate(expression.no, frame);
  checkFallback(yes, expression.no, frame, expression.line, flow);
  checkFallback(no, expression.yes, frame, expression.line, flow);
  return join(yes, no);
}

/** How far one scan follows values before it calls a program too tangled. */
const maxSteps = 3_000_000;

export function evaluateExpression(expression: Expression, frame: Frame, flow: Flow): Value {
  flow.steps += 1;
  if (flow.steps > maxSteps) return [];
  switch (expression.kind) {
    case "text":
      return evaluateText(expression, frame, flow);
    case "constant":
      return [];
    case "name":
      if (expression.name === "this" || expression.name === "super") return frame.self;
      return findCell(frame.scope, expression.name)?.value ?? [];
    case "member":
      return enter(flow.evaluate(expression.of, frame), expression.key, frame, expression.line, flow);
    case "element":
      return evaluateElement(expression, frame, flow);
    case "call":
      return evaluateCall(expression, frame, flow);
    case "function":
      return [flow.makeFunction(expression.code, frame)];
    case "object":
      return evaluateObject(expression, frame, flow);
    case "list":
      return evaluateList(expression, frame, flow);
    case "spread":
      return elementsOf(flow.evaluate(expression.of, frame));
    case "fallback": {
      const value = flow.evaluate(expression.of, frame);
      checkFallback(value, expression.instead, frame, expression.line, flow);
      return join(value, flow.evaluate(expression.instead, frame));
    }
    case "choice":
      return evaluateChoice(expression, frame, flow);
    case "operation":
      return evaluateOperation(expression, frame, flow);
    case "reference": {
      const own = expression.of.kind === "name" ? findCell(frame.scope, expression.of.name) : undefined;
      return [{ kind: "reference", cell: own ?? { value: flow.evaluate(expression.of, frame) } }];
    }
    case "assignment": {
      const value = flow.evaluate(expression.value, frame);
      bindPattern(expression.into, value, frame, flow);
      return value;
    }
    case "collect": {
      flow.run(expression.body, frame);
      const list = newObject();
      list.element.value = flow.evaluate(expression.value, frame);
      return [list];
    }
    case "yield": {
      const value = flow.evaluate(expression.of, frame);
      fill(frame.yielded, expression.each ? elementsOf(value) : value);
      return [];
    }
    default:
      for (const part of expression.parts) flow.evaluate(part, frame);
      return [];
  }
}
