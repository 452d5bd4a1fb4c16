// Branches: which values a condition tests, and which branch is taken.
import { checkMissing, returnsBlank, swallowsError } from "../../languages/go/decode.ts";
import type { Expression, Pattern, Statement } from "../code.ts";
import { collectTouched, type Frame, tellEndpointHazard } from "../frame.ts";
import { returnsDefault } from "../hazards.ts";
import type { Met } from "../values/atoms.ts";
import { dereference, ofKind } from "../values/values.ts";

type Branch = Extract<Statement, { kind: "branch" }>;

/** Endpoints whose answer's status a test looks at. */
function statusTested(test: Expression, frame: Frame): Met[] {
  switch (test.kind) {
    case "name":
    case "member": {
      const found = ofKind(dereference(frame.flow.evaluate(test, frame)), "status");
      if (found.length > 0 || test.kind === "name") return found.map(({ of }) => of);
      return statusTested(test.of, frame);
    }
    case "operation":
      return [...statusTested(test.left, frame), ...statusTested(test.right, frame)];
    case "fallback":
      return [...statusTested(test.of, frame), ...statusTested(test.instead, frame)];
    case "call":
      return statusTested(test.callee, frame);
    case "other":
      return test.parts.flatMap((part) => statusTested(part, frame));
    default:
      return [];
  }
}

const isSuccessTest = (test: Expression): boolean =>
  (test.kind === "member" && !/err/i.test(test.key)) ||
  (test.kind === "name" && !/err/i.test(test.name)) ||
  (test.kind === "operation" &&
    /^===?$/.test(test.operator) &&
    [test.left, test.right].some((side) =>
      side.kind === "constant"
        ? side.value === "200"
        : side.kind === "member" && /^(StatusOK|ok|OK|HTTP_200_OK)$/.test(side.key),
    ));

/** Go: the endpoints behind `err != nil`. */
function errorsTested(test: Expression, met: ReadonlySet<Met>, frame: Frame): Iterable<Met> {
  if (test.kind === "operation" && test.operator === "||") {
    return [...errorsTested(test.left, met, frame), ...errorsTested(test.right, met, frame)];
  }
  if (test.kind !== "operation" || test.operator !== "!=" || test.right.kind !== "constant") return [];
  if (test.left.kind === "name") return frame.errors.get(test.left.name) ?? [];
  return test.left.kind === "call" ? met : [];
}

/** Go: the error's name in `err != nil`. */
function errorNamed(test: Expression): Pattern | undefined {
  if (test.kind !== "operation") return undefined;
  if (test.operator === "||" || test.operator === "&&")
    return errorNamed(test.left) ?? errorNamed(test.right);
  return test.left.kind === "name" ? { kind: "name", name: test.left.name, declares: false } : undefined;
}

/** `if ident is None`, where the call says whether there is one. */
function isTaken(test: Expression, { given }: Frame): boolean | undefined {
  if (test.kind === "name") return given?.get(test.name);
  if (test.kind !== "operation" || test.left.kind !== "name" || test.right.kind !== "constant")
    return undefined;
  const isGiven = test.right.value === "null" ? given?.get(test.left.name) : undefined;
  if (isGiven === undefined || !/^is( not)?$/.test(test.operator)) return undefined;
  return test.operator === "is not" ? isGiven : !isGiven;
}

export function runBranch(statement: Branch, rest: readonly Statement[], frame: Frame): void {
  const { test, yes, no, line } = statement;
  const met = collectTouched(frame, () => frame.flow.evaluate(test, frame));
  checkMissing(statement, rest, frame);
  if (frame.module.language === "go" && swallowsError(yes, errorNamed(test), frame)) {
    tellEndpointHazard(frame, line, "catch-default", errorsTested(test, met, frame));
  }
  const otherwise = no.length > 0 ? no : yes.some(({ kind }) => kind === "return") ? rest : [];
  if (isSuccessTest(test) ? returnsDefault(otherwise) : returnsBlank(yes, frame)) {
    tellEndpointHazard(frame, line, "status-default", statusTested(test, frame));
  }
  const taken = isTaken(test, frame);
  if (taken !== undefined) {
    const body = taken ? yes : no;
    frame.flow.run(body, frame);
    if (frame.branches === 0 && /^(return|throw)$/.test(body.at(-1)?.kind ?? "")) frame.isOver = true;
    return;
  }
  frame.branches += 1;
  frame.flow.run(yes, frame);
  frame.flow.run(no, frame);
  frame.branches -= 1;
}
