// The value of an expression.
import { askedEndpoint, mentionsResource } from "./consumer-paths.ts";
import { enter } from "./scan-access.ts";
import type { Literal, Value } from "./scan-atoms.ts";
import { bindPattern, findPlace } from "./scan-binding.ts";
import { renderMarkup } from "./scan-callbacks.ts";
import { evaluateCall } from "./scan-calls.ts";
import { type Expression, isNull } from "./scan-code.ts";
import { type Flow, type Frame, siteOf } from "./scan-frame.ts";
import { checkFallback } from "./scan-hazards.ts";
import { elementsOf, itemAt } from "./scan-items.ts";
import { evaluateList, evaluateObject } from "./scan-objects.ts";
import { evaluateOperation } from "./scan-operations.ts";
import { atCaller } from "./scan-origin.ts";
import { readSchema } from "./scan-resolvers.ts";
import { collect } from "./scan-sequences.ts";
import { readColumns, tablesOf } from "./scan-tables.ts";
import { findClass, typedValue } from "./scan-types.ts";
import { concatenate, dataOf, dereference, fill, findCell, join, ofKind, plainText } from "./scan-values.ts";

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
  for (const part of expression.parts) if (typeof part === "string") readSchema(part, flow);
  const own = expression.parts.some((part) => typeof part === "string" && mentionsResource(part));
  return ofKind(concatenate(parts), "text").map((atom) => {
    const literal = own ? rememberLiteral(expression, atom.text, frame, flow) : undefined;
    return literal ? { ...atom, literals: [...atom.literals, literal] } : atom;
  });
}

function evaluateElement(expression: Of<"element">, frame: Frame, flow: Flow): Value {
  const value = flow.evaluate(expression.of, frame);
  // `get[T]`: still the function.
  const functions = ofKind(value, "function");
  if (functions.length > 0) return functions;
  const index = expression.index ? flow.evaluate(expression.index, frame) : [];
  const tables = tablesOf(value);
  if (tables.length > 0) {
    const columns = readColumns(tables, index, frame, expression.line, flow);
    return ofKind(index, "text").length > 0 ? columns : tables;
  }
  const keys = ofKind(index, "text");
  const inner = keys.map(({ text, via }) => {
    const at = atCaller(frame, expression.line, via);
    return enter(value, text, at.frame, at.line, flow);
  });
  if (inner.some((found) => found.length > 0)) return join(...inner);
  // Go: `paths[KindList]`, where the map was written with the same name.
  const named = expression.index?.kind === "name" ? expression.index.name : undefined;
  const same = named
    ? ofKind(dereference(value), "object").flatMap(({ fields }) => fields.get(named)?.value ?? [])
    : [];
  if (frame.module.language === "go" && same.length > 0) return same;
  const position = expression.index?.kind === "constant" ? Number(expression.index.value) : Number.NaN;
  const isTuple = ofKind(dereference(value), "object").some((atom) => atom.isTuple);
  return Number.isInteger(position) && isTuple ? itemAt(value, position) : elementsOf(value);
}

/** `test ? value : 0` and `test ? 0 : value` put a default in the value's place, as `||` does. */
function evaluateChoice(expression: Of<"choice">, frame: Frame, flow: Flow): Value {
  const tested = flow.evaluate(expression.test, frame);
  const yes = flow.evaluate(expression.yes, frame);
  const no = flow.evaluate(expression.no, frame);
  checkFallback(yes, expression.no, frame, expression.line, flow);
  // `calculating_score ? null : score`: V1 itself says that there is none.
  const isSaid = dataOf(tested).length > 0 && isNull(expression.yes);
  if (!isSaid) checkFallback(no, expression.yes, frame, expression.line, flow);
  return join(yes, no);
}

/** Svelte: `$passport` is what the store `passport` holds. */
const readStore = (name: string, { scope }: Frame): Value =>
  name.startsWith("$") ? (findCell(scope, name.slice(1))?.value ?? []) : [];

export function evaluateExpression(expression: Expression, frame: Frame, flow: Flow): Value {
  flow.steps += 1;
  if (flow.steps > flow.stepLimit) {
    flow.cut.add(flow.start);
    return [];
  }
  switch (expression.kind) {
    case "text":
      return evaluateText(expression, frame, flow);
    case "constant":
      return [];
    case "name":
      if (expression.name === "this" || expression.name === "super") return frame.self;
      return findCell(frame.scope, expression.name)?.value ?? readStore(expression.name, frame);
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
      if (!expression.isGroup) checkFallback(value, expression.instead, frame, expression.line, flow);
      return join(value, flow.evaluate(expression.instead, frame));
    }
    case "choice":
      return evaluateChoice(expression, frame, flow);
    case "operation":
      return evaluateOperation(expression, frame, flow);
    case "reference": {
      const own = findPlace(expression.of, frame, flow);
      return [{ kind: "reference", cell: own ?? { value: flow.evaluate(expression.of, frame) } }];
    }
    case "cast": {
      const value = flow.evaluate(expression.of, frame);
      // Only a type that V1 was decoded into tells more than nothing.
      const isV1 = value.length === 0 && findClass(expression.type, frame)?.learned;
      return isV1 ? typedValue(expression.type, frame) : value;
    }
    case "assignment": {
      const value = flow.evaluate(expression.value, frame);
      bindPattern(expression.into, value, frame, flow);
      return value;
    }
    case "collect":
      return collect(expression, frame, flow);
    case "yield": {
      const value = flow.evaluate(expression.of, frame);
      fill(frame.yielded, expression.each ? elementsOf(value) : value);
      return [];
    }
    case "markup":
      renderMarkup(expression, frame, flow);
      return [];
    default:
      for (const part of expression.parts) flow.evaluate(part, frame);
      return [];
  }
}
