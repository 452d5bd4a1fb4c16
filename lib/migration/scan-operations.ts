// Operators: what two values make together.
import { joinPath } from "./consumer-paths.ts";
import type { Value } from "./scan-atoms.ts";
import type { Expression } from "./scan-code.ts";
import type { Flow, Frame } from "./scan-frame.ts";
import { checkNumbers } from "./scan-hazards.ts";
import { elementsOf } from "./scan-items.ts";
import { readPlaceholders } from "./scan-python-library.ts";
import { addParts } from "./scan-sequences.ts";
import { formatText } from "./scan-texts.ts";
import { concatenate, dataOf, dereference, fill, isBody, join, ofKind } from "./scan-values.ts";

type Operation = Extract<Expression, { kind: "operation" }>;

export function evaluateOperation(expression: Operation, frame: Frame, flow: Flow): Value {
  const left = dereference(flow.evaluate(expression.left, frame));
  const right = dereference(flow.evaluate(expression.right, frame));
  checkNumbers(expression, left, right, frame, expression.line, flow);
  // A path that is compared is served here, or looked for.
  if (/^([=!]==?|in|not in)$/.test(expression.operator))
    for (const { literals } of ofKind([...left, ...right], "text"))
      for (const literal of literals) literal.isUsed = true;
  if (expression.operator === "%" && ofKind(left, "text").length > 0) {
    readPlaceholders(left, right, frame, expression.line, flow);
    const [items] = ofKind(right, "object");
    const args = items ? [...items.fields.values()].map((cell) => cell.value) : [right];
    const named = items && !items.isTuple ? [...items.fields] : [];
    return formatText(left, args, new Map(named.map(([name, cell]) => [name, cell.value])));
  }
  // Python: paths and URLs as objects.
  const isUnknownRoot = left.length === 0 && frame.module.language === "python";
  if (expression.operator === "/" && ofKind(isUnknownRoot ? right : left, "text").length > 0)
    return concatenate([left, right], joinPath);
  if (expression.operator === "|") return join(left, right);
  if (expression.operator !== "+") return [];
  // Chunks of an answer, put together again.
  const body = [...dataOf(left), ...dataOf(right)].filter(isBody);
  if (body.length > 0) return body;
  const lists = frame.module.language === "go" ? [] : ofKind(left, "object");
  const parts = addParts(left, right);
  if (parts) return parts;
  for (const list of lists) fill(list.element, elementsOf(right));
  if (lists.length > 0) return left;
  return [...left, ...right].some(({ kind }) => kind === "text") ? concatenate([left, right]) : [];
}
