// What error handling does with a failure: it tells somebody, or it swallows the failure or puts a default in its place.
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  classKinds,
  entryOf,
  functionKinds,
  keywordOf,
  listKinds,
  literalOf,
  memberOf,
  objectKinds,
  type SyntaxNode,
  wordSet,
} from "./syntax.ts";

/** A key of `{ ok: false }` makes an answer of it; `{ score: 0 }` is a default. */
const failureKey = /^(ok|success|succeeded|valid|is_?valid|error\w*|failed|status|found|loading)$/i;
const emptyConstants =
  /^(0|0\.0|-1|null|undefined|None|nil|false|False|new (Map|Set)\(\)|(dict|list|set|tuple)\(\))$/;
const answers = new Set(["json", "jsonify", "JSONResponse", "JsonResponse", "JSON", "of", "resolve", "send"]);
const nullKinds = new Set(["null", "undefined", "none", "nil"]);

const wrappers = wordSet(
  "parenthesized_expression as_expression satisfies_expression await_expression non_null_expression literal_element type_conversion_expression",
);

/** What is inside parentheses, casts and `&`. */
export function unwrap(node: SyntaxNode): SyntaxNode {
  let inner = node;
  for (;;) {
    const [first] = inner.children;
    const isReference = inner.kind === "unary_expression" && /^[&*]/.test(inner.text);
    if (!first || !(wrappers.has(inner.kind) || isReference)) return inner;
    inner = first;
  }
}

export const isNull = (node: SyntaxNode): boolean => nullKinds.has(unwrap(node).kind);

const isPlain = (node: SyntaxNode): boolean =>
  /^(number|integer|float|true|int_literal|float_literal)$/.test(node.kind) || literalOf(node) !== undefined;

/** 0, null, false, "", [], {} and objects of such values: what nothing looks like. */
export function isEmptyDefault(wrapped: SyntaxNode): boolean {
  const node = unwrap(wrapped);
  if (emptyConstants.test(node.text)) return true;
  const literal = literalOf(node);
  if (literal !== undefined) return literal === "" || literal === "0";
  if (listKinds.has(node.kind)) return node.children.every(isEmptyDefault);
  if (objectKinds.has(node.kind)) return isEmptyObject(node);
  if (node.kind === "composite_literal") return isEmptyStruct(node);
  if (!callKinds.has(node.kind) || !answers.has(calleeName(node))) return false;
  const args = argumentsOf(node);
  return args.length > 0 && args.every((argument) => isEmptyDefault(argument) || isSuccess(argument));
}

/** `{ page, rows: [], level: "NEW" }`: one empty value is enough, what the function was given stays as it is. */
function isEmptyObject(object: SyntaxNode): boolean {
  const entries = object.children.map(entryOf);
  if (entries.length === 0) return true;
  if (entries.some((entry) => !entry || (failureKey.test(entry.key) && entry.value.text !== "true")))
    return false;
  const filled = entries.flatMap((entry) => (/identifier$/.test(entry!.value.kind) ? [] : entry!.value));
  const isNamedNothing = (value: SyntaxNode) => value.text === "undefined";
  return (
    filled.some((value) => isEmptyDefault(value) || isNamedNothing(value)) &&
    filled.every((value) => isEmptyDefault(value) || isPlain(unwrap(value)))
  );
}

/** `Passport{}`, `gin.H{"score": 0}`. */
function isEmptyStruct(literal: SyntaxNode): boolean {
  const elements = literal.field("body")?.children ?? [];
  const values = elements.map((element) => ({
    key: element.children[0]?.text ?? "",
    value: element.children.at(-1),
  }));
  return (
    values.every(({ key }) => !failureKey.test(key.replace(/"/g, ""))) &&
    values.every(
      ({ value }) =>
        value && (isEmptyDefault(value) || isPlain(unwrap(value)) || unwrap(value).kind === "identifier"),
    )
  );
}

/** `200`, `http.StatusOK`. */
const isSuccess = (node: SyntaxNode): boolean =>
  /^(200|(\w+\.)?(StatusOK|HTTP_200_OK|OK))$/.test(node.text) || /^\{\s*status:\s*200\s*\}$/.test(node.text);

const errorStatus =
  /^([45]\d\d|\w+\.Status(Bad|Internal|Unauth|Not[FI]|Forbidden|Service|Gateway|Too|Gone|Unproc|Conflict)\w*|(\w+\.)*HTTP_[45]\d\d\w*)$/;

/** `502`, `{ status: 502 }`, `status_code=502`. */
function isErrorStatus(node: SyntaxNode): boolean {
  const keyword = keywordOf(node);
  if (keyword) return isErrorStatus(keyword.value);
  if (objectKinds.has(node.kind))
    return node.children.some((pair) => {
      const entry = entryOf(pair);
      return entry !== undefined && /^status(_?code)?$/i.test(entry.key) && isErrorStatus(entry.value);
    });
  return errorStatus.test(node.text);
}

const loggers = /^(console|log|logger|logging|slog|zap|fmt|print|winston|pino|stderr|stdout|_?log)$/i;

function isLogger(call: SyntaxNode): boolean {
  const callee = calleeOf(call);
  const parts = (callee?.text ?? "").split(/[.([]/);
  const method = calleeName(call);
  return (
    parts.slice(0, Math.max(1, parts.length - 1)).some((part) => loggers.test(part)) ||
    /^(print|log|warn|info|debug)/i.test(method)
  );
}

const escalating =
  /^(exit|_?exit|fatal\w*|panic|reject|next|abort|error|http_?error|fail\w*|raise\w*|throw\w*|not_?found|set_?error\w*|set\w*error|capture\w*|httpexception|on_?error|handle\w*error)$/i;
const failureName = /^(is_?|has_?)?(err|errors?|fail|failed|failure|exit_?code|unavailable)$/i;

/** Whether the error is used, other than by a logger. */
function mentions(node: SyntaxNode, caught: string | undefined): boolean {
  if (caught === undefined) return false;
  if (node.kind === "identifier" || node.kind === "shorthand_property_identifier")
    return node.text === caught;
  if (callKinds.has(node.kind) && isLogger(node)) return false;
  return node.children.some((child) => mentions(child, caught));
}

/** `ctx.reply("The score is not available.")` tells a person. */
const isSentence = (node: SyntaxNode): boolean => {
  if (node.kind === "ternary_expression") return node.children.slice(1).some(isSentence);
  return /string|template/.test(node.kind) && /\w\W? \w/.test(node.text);
};

/** Whether a call in a handler tells somebody of the failure. */
function tells(call: SyntaxNode, caught: string | undefined): boolean {
  const args = argumentsOf(call);
  const name = calleeName(call);
  if (/^(fatal|panic)/i.test(name) || args.some(isErrorStatus)) return true;
  if (isLogger(call)) return false;
  if (/^_?exit$/i.test(name)) return args[0]?.text !== "0";
  if (/^(status|sendstatus|writehead\w*)$/i.test(name)) return !/^2\d\d$|StatusOK/.test(args[0]?.text ?? "");
  if (escalating.test(name)) return true;
  return args.some((argument) => {
    const value = keywordOf(argument)?.value ?? argument;
    return mentions(value, caught) || isSentence(value);
  });
}

/** `failed.value = true`, `this.error = error`, `status.textContent = "It is not available."`. */
function notesFailure(assignment: SyntaxNode, caught: string | undefined): boolean {
  const [left, right] = [assignment.field("left"), assignment.field("right")];
  if (!left || !right) return false;
  const target = left.kind === "expression_list" ? left.children[0] : left;
  const value = right.kind === "expression_list" ? right.children[0] : right;
  if (!target || !value) return false;
  const isMember = memberOf(target) !== undefined;
  if (mentions(value, caught) && (isMember || value.kind === "identifier")) return true;
  if (isMember && isSentence(value)) return true;
  if (isEmptyDefault(value) || target.text === "_") return false;
  const names = target.text.split(/[.[\]"'?]+/);
  return failureName.test(names[0] ?? "") || failureName.test(names.at(-1) ?? "");
}

type Verdict = { isTold: boolean; returns: SyntaxNode[][]; hasBareReturn: boolean };

function judge(body: SyntaxNode, caught: string | undefined): Verdict {
  const verdict: Verdict = { isTold: false, returns: [], hasBareReturn: false };
  const open = [body];
  for (let node = open.pop(); node; node = open.pop()) {
    const { kind } = node;
    if (node !== body && (functionKinds.has(kind) || classKinds.has(kind))) continue;
    if (kind === "throw_statement" || kind === "raise_statement") verdict.isTold = true;
    else if (kind === "return_statement") {
      const [value] = node.children;
      if (!value) verdict.hasBareReturn = true;
      else verdict.returns.push(value.kind === "expression_list" ? [...value.children] : [value]);
    } else if (callKinds.has(kind)) {
      verdict.isTold ||= tells(node, caught);
      if (isLogger(node)) continue;
    } else if (/^(augmented_)?assignment(_expression|_statement)?$/.test(kind))
      verdict.isTold ||= notesFailure(node, caught);
    else if (kind === "augmented_assignment_expression" || kind === "inc_statement")
      verdict.isTold ||= failureName.test(node.children[0]?.text ?? "");
    else if (kind === "send_statement") verdict.isTold ||= mentions(node, caught);
    open.push(...node.children);
  }
  return verdict;
}

/** Whether a handler swallows the failure or puts a default in its place, and tells no one. */
export function swallows(body: SyntaxNode, caught: string | undefined, hasNamedResults = false): boolean {
  const { isTold, returns, hasBareReturn } = judge(body, caught);
  // A bare return of named results returns the error as well.
  if (isTold || (hasNamedResults && hasBareReturn)) return false;
  return returns.every((values) =>
    values.every((value) => isEmptyDefault(value) || (leavesDefault(value) && !mentions(value, caught))),
  );
}

/** `return setScore(0)`. */
const leavesDefault = (node: SyntaxNode): boolean => {
  const call = unwrap(node);
  const args = callKinds.has(call.kind) ? argumentsOf(call) : [];
  return args.length > 0 && args.every(isEmptyDefault);
};

/** Whether a branch leaves a default behind: it returns nothing else, or hands one on. */
export function leavesDefaultBehind(branch: SyntaxNode, isAllowed: (value: SyntaxNode) => boolean): boolean {
  const { isTold, returns } = judge(branch, undefined);
  if (isTold) return false;
  const isDefault = (value: SyntaxNode) => isEmptyDefault(value) && isAllowed(value);
  if (returns.length > 0)
    return returns.every(
      (values) => values.every((value) => isEmptyDefault(value)) && values.some(isDefault),
    );
  for (const node of branch.walk())
    if (
      callKinds.has(node.kind) &&
      !isLogger(node) &&
      argumentsOf(node).some((argument) => objectKinds.has(argument.kind) && isDefault(argument))
    )
      return true;
  return false;
}
