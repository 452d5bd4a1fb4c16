// Metric math as data: one tree, written for CloudWatch and computed on a laptop, so that neither is parsed.
import type { MetricName } from "./metrics.ts";

export type Statistic = "Sum" | "Average" | "Minimum" | "Maximum" | "SampleCount" | `p${number}`;

/** One metric over one period, reduced to a number. */
export type Reading = { metric: MetricName; statistic: Statistic };

type Operator = "+" | "-" | "*" | "/";

export type Expression =
  | number
  | Reading
  /** Where there is no data there is this number instead: FILL. */
  | { fill: Expression; with: number }
  | { left: Expression; operator: Operator; right: Expression };

export type RenderedExpression = { expression: string; metrics: Record<string, Reading> };

const rank: Record<Operator, number> = { "+": 1, "-": 1, "*": 2, "/": 2 };

/** In CloudWatch's words: the readings are named m1, m2, … in the order in which they are read. */
export function renderExpression(expression: Expression): RenderedExpression {
  const metrics: Record<string, Reading> = {};
  const nameOf = (reading: Reading) => {
    const same = ([, other]: [string, Reading]) =>
      other.metric === reading.metric && other.statistic === reading.statistic;
    const name = Object.entries(metrics).find(same)?.[0] ?? `m${Object.keys(metrics).length + 1}`;
    metrics[name] = reading;
    return name;
  };
  const write = (part: Expression): string => {
    if (typeof part === "number") return part < 0 ? `(${part})` : String(part);
    if ("metric" in part) return nameOf(part);
    if ("fill" in part) return `FILL(${write(part.fill)}, ${part.with})`;
    const left = writeOperand(part.left, rank[part.operator]);
    // A right operand of the same rank needs its brackets: a - (b - c).
    const right = writeOperand(part.right, rank[part.operator] + 1);
    return `${left} ${part.operator} ${right}`;
  };
  const writeOperand = (part: Expression, least: number) => {
    const isLoose = typeof part === "object" && "operator" in part && rank[part.operator] < least;
    return isLoose ? `(${write(part)})` : write(part);
  };
  return { expression: write(expression), metrics };
}

/** For one period; undefined is missing data, and what is computed from missing data is missing. */
export function evaluateExpression(
  expression: Expression,
  read: (reading: Reading) => number | undefined,
): number | undefined {
  if (typeof expression === "number") return expression;
  if ("metric" in expression) return read(expression);
  if ("fill" in expression) return evaluateExpression(expression.fill, read) ?? expression.with;
  const left = evaluateExpression(expression.left, read);
  const right = evaluateExpression(expression.right, read);
  if (left === undefined || right === undefined) return undefined;
  const result = calculate(left, expression.operator, right);
  return Number.isFinite(result) ? result : undefined;
}

function calculate(left: number, operator: Operator, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
  }
}

const answers: Reading = { metric: "Answered", statistic: "SampleCount" };
/** What is told only when it happens is 0 otherwise. */
const filled = (metric: MetricName): Expression => ({ fill: { metric, statistic: "Sum" }, with: 0 });
const per = (part: Expression, whole: Expression): Expression => ({
  left: part,
  operator: "/",
  right: whole,
});
const percent = (part: Expression): Expression => per({ left: 100, operator: "*", right: part }, answers);

/** For alarms, dashboard and local evaluation alike; each divides by the keyed answers of its period, so between two probes it says nothing. */
export const rates = {
  unauthorizedPercent: percent(filled("Unauthorized")),
  breakingPerAnswer: per(filled("BreakingDrift"), answers),
} as const;
