// Detects hazards: code in which a failing V1 looks like 0 or an empty value.
import { hidesFailure, trapOf } from "../names/fields.ts";
import { type Expression, type Pattern, type Statement, walk } from "./code.ts";
import { tellHazard } from "./frame.ts";
import type { Frame, Value } from "./values/atoms.ts";
import { dataOf, ofKind } from "./values/values.ts";

const emptyConstants = new Set(["0", "0.0", "null", "false"]);
/** `{ ok: false }` is an answer; `{ score: 0 }` is a default. */
const tellsFailure = /^(ok|success|succeeded|valid|is_?valid|error\w*|failed|status|found|loading)$/i;
const wrappers = new Set(["of", "resolve"]);
/** A server's answer of `{ points: 0 }` is that default, handed on. */
const answers = new Set(["json", "jsonify", "JSONResponse", "JsonResponse", "JSON"]);

/** 0, null, false, "", [] and {}: what nothing looks like. */
export function isEmptyDefault(expression: Expression): boolean {
  switch (expression.kind) {
    case "constant":
      return emptyConstants.has(expression.value);
    case "text":
      return expression.parts.every((part) => part === "" || part === "0");
    case "list":
      return expression.items.every(isEmptyDefault);
    case "object": {
      // `{ page, rows: [] }`: what the function was given stays as it is.
      const filled = expression.entries.filter(({ value }) => value.kind !== "name");
      return (
        (filled.length > 0 || expression.entries.length === 0) &&
        expression.entries.every(({ key }) => key !== undefined && !tellsFailure.test(key)) &&
        filled.every(({ value }) => isEmptyDefault(value))
      );
    }
    case "reference":
    case "cast":
      return isEmptyDefault(expression.of);
    case "call":
      return (
        (wrappers.has(calleeName(expression.callee)) ||
          (expression.args.length > 0 && answers.has(calleeName(expression.callee)))) &&
        expression.args.every(({ value }) => isEmptyDefault(value) || isSuccess(value))
      );
    default:
      return false;
  }
}

/** `200`, `http.StatusOK`. */
export const isSuccess = (value: Expression): boolean =>
  value.kind === "constant"
    ? value.value === "200"
    : value.kind === "member" && /^(StatusOK|ok|OK|HTTP_200_OK)$/.test(value.key);

export const calleeName = (callee: Expression): string =>
  callee.kind === "member" ? callee.key : callee.kind === "name" ? callee.name : "";

export const rootName = (expression: Expression): string => {
  if (expression.kind === "name") return expression.name;
  if (expression.kind === "member" || expression.kind === "element") return rootName(expression.of);
  return expression.kind === "call" ? rootName(expression.callee) : "";
};

const loggers = /^(console|log|logger|logging|slog|zap|fmt|print|winston|pino|stderr|stdout)$/i;
const isLogger = (callee: Expression) =>
  loggers.test(rootName(callee)) ||
  // `this.logger.error(…)`
  (callee.kind === "member" && callee.of.kind === "member" && loggers.test(callee.of.key)) ||
  /^(print|log|warn|info|debug)/i.test(calleeName(callee));
const escalates =
  /^(exit|_?exit|fatal\w*|panic|reject|next|abort|error|http_?error|fail\w*|raise\w*|status|sendstatus|writehead|throw\w*|not_?found|set_?error|capture\w*|httpexception)$/i;

/** The error itself, or something made of it: `err.Error()`, `outcome{err: err}`; a logger tells no one. */
function mentions(expression: Expression, caught: string | undefined): boolean {
  let isMentioned = false;
  walk(expression, (one) => {
    if (one.kind === "name" && one.name === caught) isMentioned = true;
    return one.kind !== "call" || !isLogger(one.callee);
  });
  return isMentioned;
}

/** `ctx.reply("The score is not available.")` tells a person. */
const isSentence = (value: Expression): boolean =>
  value.kind === "choice"
    ? isSentence(value.yes) || isSentence(value.no)
    : value.kind === "text" && value.parts.some((part) => typeof part === "string" && /\w\W? \w/.test(part));

/** Who answers with an error status tells of the failure. */
const isErrorStatus = (value: Expression): boolean =>
  value.kind === "constant"
    ? /^[45]\d\d$/.test(value.value)
    : value.kind === "member" &&
      /^(Status(Bad|Internal|Unauth|Not[FI]|Forbidden|Service|Gateway|Too|Gone|Unproc|Conflict)\w*|HTTP_[45]\d\d\w*)$/.test(
        value.key,
      );

const failureName = /^(is_?|has_?)?(err|errors?|fail|failed|failure|exit_?code|unavailable)$/i;

/** `failed.value = true`, `process.exitCode = 1`: whoever shows it tells of the failure. */
function notesFailure(into: Pattern, value: Expression): boolean {
  if (value.kind === "constant" && emptyConstants.has(value.value)) return false;
  if (into.kind === "name") return failureName.test(into.name);
  return (
    into.kind === "place" &&
    [rootName(into.place), calleeName(into.place)].some((name) => failureName.test(name))
  );
}

type Verdict = { throws: boolean; escalates: boolean; returns: (readonly Expression[])[] };

function judge(body: readonly Statement[], caught: Pattern | undefined): Verdict {
  const verdict: Verdict = { throws: false, escalates: false, returns: [] };
  const name = caught?.kind === "name" ? caught.name : undefined;
  const see = (one: Expression | Statement): unknown => {
    if (one.kind === "throw") verdict.throws = true;
    else if (one.kind === "return") verdict.returns.push(one.values);
    else if (one.kind === "call") {
      verdict.escalates ||= tells(one, name);
      // `log.warning("…", error=str(error))` tells no one.
      if (isLogger(one.callee)) return false;
    } else if (one.kind === "bind" || one.kind === "assignment") {
      // Kept or sent on, it is for somebody else to handle.
      const isKept = one.into.kind === "place" || (one.value.kind === "name" && one.into.kind !== "nothing");
      verdict.escalates ||=
        (isKept && mentions(one.value, name)) ||
        (one.into.kind === "place" && isSentence(one.value)) ||
        notesFailure(one.into, one.value);
    } else if (one.kind === "branch") walk([one.yes, one.no], see);
    else if (one.kind === "try") walk(one.body, see);
    return !/^(function|branch|try)$/.test(one.kind);
  };
  walk(body, see);
  return verdict;
}

type Call = Extract<Expression, { kind: "call" }>;

/** Whether a call in a handler tells somebody of the failure. */
function tells({ callee, args }: Call, caught: string | undefined): boolean {
  const name = calleeName(callee);
  if (/^(fatal|panic)/i.test(name) || args.some(({ value }) => isErrorStatus(value))) return true;
  if (isLogger(callee)) return false;
  return escalates.test(name) || args.some(({ value }) => mentions(value, caught) || isSentence(value));
}

/** A call such as setScore(0) at the end of a handler leaves a default behind too. */
export const leavesDefault = (value: Expression): boolean =>
  isEmptyDefault(value) ||
  (value.kind === "call" &&
    value.args.length > 0 &&
    value.args.every(({ value: arg }) => isEmptyDefault(arg)));

/** Whether a handler swallows the failure or puts a default in its place, and tells no one. */
export function swallows(
  body: readonly Statement[],
  caught: Pattern | undefined,
  hasNamedResults: boolean,
  areDefaults = (values: readonly Expression[]) => values.every(leavesDefault),
): boolean {
  const { throws, escalates, returns } = judge(body, caught);
  // A bare return with named results returns the error as well.
  const returnsError = hasNamedResults && returns.some((values) => values.length === 0);
  return !throws && !escalates && !returnsError && returns.every(areDefaults);
}

/** Returns at all, and nothing but defaults. */
export function returnsDefault(body: readonly Statement[]): boolean {
  const { throws, escalates, returns } = judge(body, undefined);
  return (
    !throws && !escalates && returns.length > 0 && returns.every((values) => values.every(isEmptyDefault))
  );
}

export function checkFallback(value: Value, instead: Expression, frame: Frame, line: number): void {
  // An empty text shows as empty, a text with a zero does not.
  const isZeroText = instead.kind === "text" && instead.parts.join("") === "0";
  if (!isEmptyDefault(instead) || (instead.kind === "text" && !isZeroText)) return;
  const listed = ofKind(value, "object").flatMap(({ element }) => dataOf(element.value));
  const isZero = isZeroText || (instead.kind === "constant" && /^0(\.0)?$/.test(instead.value));
  const hidden = [...dataOf(value).filter(({ node }) => isZero || hidesFailure(node)), ...listed];
  tellHazard(frame, line, "fallback-default", hidden);
}

const arithmetic = /^([-+*/]|[<>]=?)$/;
const equality = /^[!=]==?$/;
const isNumber = (expression: Expression) => expression.kind === "constant" && /^\d/.test(expression.value);

export type Operation = { operator: string; left: Expression; right: Expression };

/** Strings of digits in arithmetic, and ids that must be numbers for the code to work. */
export function checkNumbers(
  operation: Operation,
  left: Value,
  right: Value,
  frame: Frame,
  line: number,
): void {
  const { operator } = operation;
  const check = (own: Value, other: Value, beside: Expression) => {
    const counts = arithmetic.test(operator) && ofKind(other, "text").length === 0;
    if (counts || (equality.test(operator) && isNumber(beside))) checkNumberUse(own, frame, line);
  };
  check(left, right, operation.right);
  check(right, left, operation.left);
}

export function checkNumberUse(value: Value, frame: Frame, line: number): void {
  for (const atom of dataOf(value)) {
    const rule = trapOf(atom.node);
    if (rule) tellHazard(frame, line, rule, [atom]);
  }
}
