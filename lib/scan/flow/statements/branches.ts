// Branches: which values a condition tests, and which branch is taken.
import { type Expression, type Statement, walk } from "../code.ts";
import { collectTouched, tellEndpointHazard, tellHazard } from "../frame.ts";
import { isEmptyDefault, isSuccess, returnsDefault } from "../hazards.ts";
import type { Frame, Met, Value } from "../values/atoms.ts";
import { dataOf, ofKind } from "../values/values.ts";

type Branch = Extract<Statement, { kind: "branch" }>;

/** Endpoints whose answer's status a test looks at. */
function statusTested(test: Expression, frame: Frame): Set<Met> {
  const found = new Set<Met>();
  walk(test, (one) => {
    if (one.kind === "name" || one.kind === "member" || (one.kind === "operation" && one.operator === "in"))
      for (const { of } of ofKind(frame.flow.evaluate(one, frame), "status")) found.add(of);
  });
  return found;
}

const isSuccessTest = (test: Expression): boolean =>
  (test.kind === "member" && !/err/i.test(test.key)) ||
  (test.kind === "name" && !/err/i.test(test.name)) ||
  (test.kind === "operation" && /^===?$/.test(test.operator) && [test.left, test.right].some(isSuccess));

/** 0 and [] look like values of V1, and so does a record of them; null does not. */
function looksLikeValue(value: Expression): boolean {
  if (value.kind === "constant") return /^0(\.0)?$/.test(value.value);
  if (value.kind === "list") return value.items.every(looksLikeValue);
  if (value.kind !== "object" || !isEmptyDefault(value)) return false;
  return value.entries.some((entry) => looksLikeValue(entry.value));
}

/** Returns such a value, or hands on a record of them: `rows.push({ wallet, score: 0 })`. */
const leavesValue = (body: readonly Statement[]): boolean =>
  body.some((one) => {
    if (one.kind === "return") return one.values.some(looksLikeValue);
    const args = one.kind === "do" && one.value.kind === "call" ? one.value.args : [];
    return args.some(({ value }) => value.kind === "object" && looksLikeValue(value));
  });

/** The values of V1 that a test compares with nothing, and whether it wants them missing. */
function comparedWithNothing(test: Expression, frame: Frame): { value: Value; isMissing: boolean }[] {
  // `!score`
  if (test.kind === "other" && test.parts.length === 1)
    return [{ value: frame.flow.evaluate(test.parts[0]!, frame), isMissing: true }];
  if (test.kind !== "operation") return [];
  if (/^(&&|\|\||and|or)$/.test(test.operator))
    return [test.left, test.right].flatMap((side) => comparedWithNothing(side, frame));
  const isNothing = test.right.kind === "constant" && test.right.value === "null";
  if (!isNothing || !/^([=!]==?|is|is not)$/.test(test.operator)) return [];
  return [{ value: frame.flow.evaluate(test.left, frame), isMissing: /^(=|is$)/.test(test.operator) }];
}

/** `if p.Score == nil { return 0 }` */
function checkMissing({ test, yes, no, line }: Branch, rest: readonly Statement[], frame: Frame): void {
  for (const { value, isMissing } of comparedWithNothing(test, frame)) {
    const hidden = dataOf(value).filter(
      ({ node }) =>
        /^(number|array)$/.test(node.type) || (node.type === "object" && (node.path !== "" || isMissing)),
    );
    const instead = isMissing ? yes : no.length > 0 ? no : rest;
    if (hidden.length > 0 && leavesValue(instead)) tellHazard(frame, line, "fallback-default", hidden);
  }
}

export function runBranch(statement: Branch, rest: readonly Statement[], frame: Frame): void {
  const { test, yes, no, line } = statement;
  const met = collectTouched(frame, () => frame.flow.evaluate(test, frame));
  checkMissing(statement, rest, frame);
  frame.module.language.checkBranch?.(statement, met, frame);
  const otherwise = no.length > 0 ? no : yes.some(({ kind }) => kind === "return") ? rest : [];
  if (isSuccessTest(test) ? returnsDefault(otherwise) : returnsDefault(yes)) {
    tellEndpointHazard(frame, line, "status-default", statusTested(test, frame));
  }
  frame.branches += 1;
  frame.flow.run(yes, frame);
  frame.flow.run(no, frame);
  frame.branches -= 1;
}
