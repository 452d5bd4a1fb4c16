// Hazards: code in which a failing V1 looks like 0 or an empty value, and values that are used as what they are not.

import { integerIds } from "../../contract/v1/code-names.ts";
import { hidesFailure, trapOf } from "../names/fields.ts";
import type { HazardRule, Mark } from "../uses.ts";
import { calledBy, evaluate, functionOf } from "./evaluate.ts";
import { isEmptyDefault, isNull, leavesDefaultBehind, swallows, unwrap } from "./failures.ts";
import { access, nodeOf, type Program, type Request, type SourceFile, type Value } from "./program.ts";
import { basisOf, placeOf } from "./reads.ts";
import { patternValue } from "./rules.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  functionKinds,
  functionName,
  literalOf,
  memberOf,
  patternEntryOf,
  type SyntaxNode,
  scopeOf,
} from "./syntax.ts";

/** Functions of the code's own that ask V1 and nobody else: every call of them is a request. */
export type Wrappers = ReadonlyMap<SyntaxNode, { request: Request; file: SourceFile }>;

/** `isUsedElsewhere`: whether a function is called in code that was not looked at. */
export function findWrappers(
  program: Program,
  isUsedElsewhere: (file: SourceFile, fn: SyntaxNode) => boolean,
): Wrappers {
  const wrappers = new Map<SyntaxNode, { request: Request; file: SourceFile }>();
  const shared = new Set<SyntaxNode>();
  for (const file of program.files.values())
    for (const { node: statement, isLive } of file.statements) {
      if (!isLive) continue;
      for (const call of statement.walk()) {
        const fn = callKinds.has(call.kind) ? functionOf(file, call) : undefined;
        const request = file.requests.get(call);
        if (fn && request) wrappers.set(fn.node, { request, file: fn.file });
        else if (fn) shared.add(fn.node);
      }
    }
  return new Map(
    [...wrappers].flatMap(([node, { request, file }]) =>
      shared.has(node) || isUsedElsewhere(file, node) ? [] : [[node, { request, file }] as const],
    ),
  );
}

/** What is asked for, and how that is known. */
type Asking = Pick<Mark, "endpoint" | "confidence" | "evidence">;
const numberKinds = new Set(["number", "integer", "float", "int_literal", "float_literal"]);
const tries = new Set(["try_statement"]);
const maxCallDepth = 5;

export class HazardFinder {
  readonly marks: Mark[] = [];
  private readonly file: SourceFile;
  private readonly wrappers: Wrappers;
  private readonly asking: Map<SyntaxNode, Asking | undefined>;

  /** `asking`: what is known about functions, for all files. */
  constructor(file: SourceFile, wrappers: Wrappers, asking: Map<SyntaxNode, Asking | undefined>) {
    this.file = file;
    this.wrappers = wrappers;
    this.asking = asking;
  }

  find(statement: SyntaxNode): void {
    for (const node of statement.walk()) {
      const { kind } = node;
      if (kind === "try_statement") this.handlers(node);
      else if (kind === "if_statement") {
        this.status(node);
        this.missing(node);
        if (this.file.language === "go") this.goError(node);
      } else if (
        kind === "binary_expression" ||
        kind === "boolean_operator" ||
        kind === "binary_operator" ||
        kind === "comparison_operator"
      ) {
        this.fallback(node);
        this.arithmetic(node);
      } else if (kind === "ternary_expression" || kind === "conditional_expression") this.choice(node);
      else if (kind === "object_assignment_pattern" || kind === "assignment_pattern")
        this.patternDefault(node);
      else if (
        kind === "short_var_declaration" ||
        kind === "assignment_statement" ||
        kind === "expression_statement"
      )
        this.droppedError(node);
      if (callKinds.has(kind)) {
        this.rejected(node);
        this.getDefault(node);
        this.conversion(node);
        this.integerAddress(node);
      }
    }
  }

  private add(rule: HazardRule, at: SyntaxNode, asking: Asking): void {
    this.marks.push({ kind: "hazard", rule, ...placeOf(this.file, at), ...asking });
  }

  private value(node: SyntaxNode | undefined): Value | undefined {
    return evaluate(this.file, node);
  }

  // Failed calls.

  /** What the code in a node asks V1 for, in such a way that a failure gets out of it. */
  private asks(file: SourceFile, node: SyntaxNode | undefined, depth = 0): Asking | undefined {
    if (!node || depth > maxCallDepth) return undefined;
    for (const call of node.walk()) {
      if (!callKinds.has(call.kind)) continue;
      const found = this.askedBy(file, call, depth);
      if (found && !isHandled(call, node)) return found;
    }
    return undefined;
  }

  private askedBy(file: SourceFile, call: SyntaxNode, depth: number): Asking | undefined {
    const request = file.requests.get(call);
    if (request) return askingOf(request);
    for (const fn of calledBy(file, call)) {
      if (!this.asking.has(fn.node)) {
        this.asking.set(fn.node, undefined);
        this.asking.set(fn.node, this.asks(fn.file, fn.node.field("body"), depth + 1));
      }
      const asking = this.asking.get(fn.node);
      if (asking) return asking;
    }
    return undefined;
  }

  /** A helper's own error handling is V1's only if the helper is. */
  private wrapperAround(node: SyntaxNode): Asking | undefined {
    for (let at: SyntaxNode | undefined = node; at; at = at.parent) {
      const wrapper = this.wrappers.get(at);
      if (wrapper) return askingOf(wrapper.request);
    }
    return undefined;
  }

  private handlers(node: SyntaxNode): void {
    const asking = this.asks(this.file, node.field("body")) ?? this.wrapperAround(node);
    if (!asking) return;
    for (const handler of handlersOf(node))
      if (isSwallowing(handler)) this.add("catch-default", handler, asking);
      else this.statusesIn(handler, asking);
  }

  /** `if (error.response.status === 404) return 0` in a handler that throws otherwise. */
  private statusesIn(handler: SyntaxNode, asking: Asking): void {
    for (const node of handler.walk()) {
      const isIf = node.kind === "if_statement";
      const parts = isIf ? undefined : choiceOf(node);
      const condition = isIf ? node.field("condition") : parts?.condition;
      if (!condition || statusTest(condition.text) !== "failed") continue;
      const branch = node.field("consequence");
      const isHidden = isIf
        ? branch !== undefined && swallows(branch, undefined)
        : parts?.chosen !== undefined && isEmptyDefault(parts.chosen);
      if (isHidden) this.add("status-default", node, asking);
    }
  }

  /** `load(id).catch(() => 0)`, `load(id).then(show, () => 0)` */
  private rejected(call: SyntaxNode): void {
    const callee = calleeOf(call);
    const name = calleeName(call);
    if (!/^(catch|then)$/.test(name) || !callee) return;
    const callback = argumentsOf(call)[name === "catch" ? 0 : 1];
    const asking = callback && this.asks(this.file, memberOf(callee)?.of);
    if (!asking) return;
    const body = functionKinds.has(callback.kind) ? callback.field("body") : undefined;
    const caught =
      callback.field("parameter")?.text ??
      callback.field("parameters")?.children[0]?.text.replace(/:.*/s, "");
    const isHidden = body
      ? /block$/.test(body.kind)
        ? swallows(body, caught)
        : isEmptyDefault(body) || /^console\./.test(body.text)
      : /^(console|logger?)\b/.test(callback.text);
    if (isHidden) this.add("catch-default", callback, asking);
    else if (body) this.statusesIn(body, asking);
  }

  /** `if err != nil { return 0, nil }` after a call. */
  private goError(node: SyntaxNode): void {
    const [, caught] = /\b(\w*[eE]rr\w*) != nil/.exec(node.field("condition")?.text ?? "") ?? [];
    const branch = node.field("consequence");
    if (!caught || !branch) return;
    const siblings = node.parent?.children ?? [];
    const before = siblings[siblings.indexOf(node) - 1];
    const asking =
      this.asks(this.file, node.field("initializer") ?? before) ??
      this.decodes(node.field("initializer") ?? before) ??
      this.wrapperAround(node);
    const fn = node.above(functionKinds);
    const results = fn?.field("result");
    const hasNamedResults =
      results?.kind === "parameter_list" && results.children.some(({ children }) => children.length > 1);
    if (asking && swallows(branch, caught, hasNamedResults)) this.add("catch-default", node, asking);
  }

  /** Whether a statement decodes a response of V1. */
  private decodes(node: SyntaxNode | undefined): Asking | undefined {
    for (const call of node?.walk() ?? []) {
      if (!callKinds.has(call.kind)) continue;
      const callee = calleeOf(call);
      const parts = [callee && memberOf(callee)?.of, ...argumentsOf(call)];
      const value = parts
        .map((part) => part && this.value(part))
        .find((one) => one?.origin?.by === "call" && one.node?.path === "");
      if (value) return askingOfOrigin(value);
    }
    return undefined;
  }

  /** Go: an error that nobody looks at. */
  private droppedError(node: SyntaxNode): void {
    if (this.file.language !== "go") return;
    const right = node.kind === "expression_statement" ? node : node.field("right");
    const call = right?.children[0];
    if (!call || !callKinds.has(call.kind)) return;
    const name = calleeName(call);
    const left = node.field("left");
    const isDropped = left ? left.children.at(-1)?.text === "_" : /^(Decode|Unmarshal)$/.test(name);
    if (!isDropped || /^(Close|NewRequest\w*|Sprintf)$/.test(name)) return;
    const asking = this.file.requests.has(call)
      ? askingOf(this.file.requests.get(call)!)
      : this.decodes(call);
    if (asking) this.add("catch-default", node, asking);
  }

  // Error statuses.

  private status(node: SyntaxNode): void {
    const condition = node.field("condition")?.text ?? "";
    const sense = statusTest(condition);
    if (!sense) return;
    const asking = this.asksFor(node, condition);
    const branch = sense === "failed" ? node.field("consequence") : alternativeOf(node);
    if (asking && branch && swallows(branch, undefined))
      this.add("status-default", sense === "failed" ? node : branch, asking);
    const isOpen = sense === "succeeded" && !node.field("alternative");
    const kept = isOpen ? this.defaultBefore(node) : undefined;
    if (asking && kept) this.add("status-default", kept, asking);
  }

  /** `let score = 0` before `if (response.ok) score = …`. */
  private defaultBefore(branching: SyntaxNode): SyntaxNode | undefined {
    const siblings = branching.parent?.children ?? [];
    const before = siblings.slice(0, Math.max(0, siblings.indexOf(branching)));
    for (const node of branching.field("consequence")?.walk() ?? []) {
      const target = /^assignment(_expression)?$/.test(node.kind) ? node.field("left") : undefined;
      if (target?.kind !== "identifier") continue;
      for (const statement of before)
        for (const part of [statement, ...statement.children]) {
          const [name, value] = [
            part.field("name") ?? part.field("left"),
            part.field("value") ?? part.field("right"),
          ];
          if (name?.text === target.text && value && !isNull(value) && isEmptyDefault(value))
            return statement;
        }
    }
    return undefined;
  }

  /** The request of the function that a node is in. */
  private asksHere(node: SyntaxNode): Asking | undefined {
    const wrapped = this.wrapperAround(node);
    if (wrapped) return wrapped;
    const scope = scopeOf(node);
    for (const [call, request] of this.file.requests)
      if (call.isInside(scope) && isNearer(call, scope)) return askingOf(request);
    return undefined;
  }

  /** What a test of a status is about: the request of the function, or those that were settled before. */
  private asksFor(node: SyntaxNode, condition: string): Asking | undefined {
    if (!settledForm.test(condition)) return this.asksHere(node);
    for (let scope = scopeOf(node); ; scope = scopeOf(scope)) {
      for (const call of scope.walk()) {
        if (!callKinds.has(call.kind) || calleeName(call) !== "allSettled") continue;
        const asking = this.asks(this.file, argumentsOf(call)[0]);
        if (asking) return asking;
      }
      if (scope.parent === undefined) return undefined;
    }
  }

  // Missing values.

  private asData(node: SyntaxNode | undefined): Value | undefined {
    const value = this.value(node);
    const own = nodeOf(value);
    if (own || !node) return own;
    const call = unwrap(node);
    const callee = callKinds.has(call.kind) ? calleeOf(call) : undefined;
    const member = callee && memberOf(callee);
    if (member && /^(map|filter|flatMap|slice|sort|toFixed|toString|toLocaleString)$/.test(member.key ?? ""))
      return this.asData(member.of);
    const length = memberOf(call);
    return length?.key === "length" ? this.asData(length.of) : undefined;
  }

  private hidden(value: Value | undefined, instead: SyntaxNode): Asking | undefined {
    if (!value?.node || !isEmptyDefault(instead)) return undefined;
    const text = literalOf(unwrap(instead));
    if (text === "") return undefined;
    const isZero = text === "0" || /^0(\.0)?$/.test(instead.text);
    return isZero || hidesFailure(value.node) ? askingOfOrigin(value) : undefined;
  }

  /** `body.passports ?? []`; `?? null` leaves a missing value missing, and `|| null` makes one of a real zero. */
  private fallback(node: SyntaxNode): void {
    const right = node.field("right");
    if (!right || !/^(\|\||\?\?|or)$/.test(node.operator)) return;
    if (node.operator === "??" && isNull(right)) return;
    const asking = this.hidden(this.asData(node.field("left")), right);
    if (asking) this.add("fallback-default", right, asking);
  }

  /** `passport ? passport.score : 0`, and `response.ok ? await response.json() : null`. */
  private choice(node: SyntaxNode): void {
    const { condition, chosen, otherwise } = choiceOf(node) ?? {};
    if (!condition) return;
    const sense = statusTest(condition.text);
    if (sense !== undefined) {
      const hidden = sense === "failed" ? chosen : otherwise;
      const asking = hidden && isEmptyDefault(hidden) ? this.asksFor(node, condition.text) : undefined;
      if (hidden && asking) this.add("status-default", hidden, asking);
      return;
    }
    const instead = otherwise;
    if (!instead || !isEmptyDefault(instead)) return;
    const asking = isNull(instead) ? undefined : this.hidden(this.asData(condition), instead);
    if (asking) this.add("fallback-default", instead, asking);
  }

  /** `body.get("score", 0)` */
  private getDefault(call: SyntaxNode): void {
    const [, instead] = argumentsOf(call);
    if (!instead || isNull(instead) || memberOf(call)?.key === undefined) return;
    const asking = this.hidden(this.value(call), instead);
    if (asking) this.add("fallback-default", call, asking);
  }

  /** `{ score = 0 } = passport` */
  private patternDefault(node: SyntaxNode): void {
    const instead = node.field("right");
    // `{ score = 0 }`, and `{ score: points = 0 }`.
    const part = node.kind === "assignment_pattern" ? node.parent : node;
    const key = part && patternEntryOf(part)?.key;
    if (!instead || isNull(instead) || key === undefined || !part?.parent) return;
    const asking = this.hidden(access(patternValue(this.file, part.parent), key), instead);
    if (asking) this.add("fallback-default", node, asking);
  }

  /** `if (!body.passport) return 0`; null and an empty text stay what they are. */
  private missing(node: SyntaxNode): void {
    const condition = unwrap(node.field("condition") ?? node);
    const branch = node.field("consequence");
    const tested = missingTest(condition);
    const value = tested && this.asData(tested);
    if (
      !branch ||
      !value?.node ||
      integerIds.has(value.node.name) ||
      !leavesDefaultBehind(branch, (one) => !isNull(one) && literalOf(one) !== "")
    )
      return;
    this.add("fallback-default", node, askingOfOrigin(value));
  }

  // Values that are used as what they are not.

  private trap(node: SyntaxNode | undefined, at: SyntaxNode): void {
    const value = node && this.value(unwrap(node));
    const rule = value?.node && trapOf(value.node);
    if (value && rule) this.add(rule, at, askingOfOrigin(value));
  }

  private arithmetic(node: SyntaxNode): void {
    const isComparison = node.kind === "comparison_operator";
    const [left, right] = isComparison ? node.children : [node.field("left"), node.field("right")];
    const operator = isComparison
      ? (/[<>]=?|[!=]=/.exec(node.text.slice((left?.text ?? "").length))?.[0] ?? "")
      : node.operator;
    if (!left || !right) return;
    const isText = (side: SyntaxNode) => /string|template/.test(unwrap(side).kind);
    const isNumber = (side: SyntaxNode) => numberKinds.has(unwrap(side).kind);
    const counts = /^([-+*/]|[<>]=?)$/.test(operator);
    const compares = /^[!=]==?$/.test(operator);
    if ((counts && !isText(right)) || (compares && isNumber(right))) this.trap(left, node);
    if ((counts && !isText(left)) || (compares && isNumber(left))) this.trap(right, node);
  }

  /** `Number(passport.passport_id)`, `Math.max(social.follower_count, 1)`, `strconv.Atoi(count)`. */
  private conversion(call: SyntaxNode): void {
    const name = calleeName(call);
    const callee = calleeOf(call)?.text ?? "";
    const converts = /^(Number|parseInt|int|ParseInt|Atoi)$/.test(name);
    const counts =
      /^(max|min|round|floor|ceil|sum)$/.test(name) && /^(Math\.|max|min|sum|round)/.test(callee);
    if (!converts && !counts) return;
    for (const argument of argumentsOf(call)) {
      const value = this.value(argument);
      const rule = value?.node && trapOf(value.node);
      const isTrap = rule === "integer-id" ? converts : counts || (this.file.language === "go" && converts);
      if (value && rule && isTrap) this.add(rule, call, askingOfOrigin(value));
    }
  }

  /** `fmt.Sprintf("/api/v1/passports/%d", id)` */
  private integerAddress(call: SyntaxNode): void {
    const request = this.file.requests.get(call);
    if (request?.assumesInteger) this.add("integer-id", request.at, askingOf(request));
  }
}

const askingOf = (request: Request): Asking => ({
  endpoint: request.endpoint,
  ...basisOf({ by: "call", request }),
});

const askingOfOrigin = ({ node, origin }: Value): Asking => ({
  endpoint: node!.endpoint,
  ...basisOf(origin),
});

const handlersOf = (node: SyntaxNode): SyntaxNode[] => {
  const handler = node.field("handler");
  return handler ? [handler] : node.children.filter(({ kind }) => kind === "except_clause");
};

function isSwallowing(handler: SyntaxNode): boolean {
  const body = handler.field("body") ?? handler.children.findLast(({ kind }) => /block$/.test(kind));
  const [alias] = handler.children.flatMap(({ kind, children }) =>
    kind === "as_pattern" ? children.at(-1)! : [],
  );
  const caught = handler.field("parameter")?.text ?? alias?.text;
  return body !== undefined && swallows(body, caught);
}

const throws = new Set(["throw_statement", "raise_statement"]);

/** Whether a handler throws again, at least in some case. */
function isRethrowing(handler: SyntaxNode): boolean {
  for (const node of handler.walk()) if (throws.has(node.kind)) return true;
  return false;
}

/** Whether a failure of a call stays inside a node: a try around it has handlers, and none of them throws. */
function isHandled(call: SyntaxNode, outer: SyntaxNode): boolean {
  for (let at = call.above(tries); at?.isInside(outer); at = at.above(tries)) {
    const body = at.field("body");
    const handlers = handlersOf(at);
    if (body && call.isInside(body) && handlers.length > 0 && !handlers.some(isRethrowing)) return true;
  }
  return false;
}

/** Whether the request belongs to the function itself, or to a function without a name in it. */
function isNearer(call: SyntaxNode, scope: SyntaxNode): boolean {
  for (let at = scopeOf(call); at !== scope; at = scopeOf(at))
    if (at.parent === undefined || functionName(at)) return false;
  return true;
}

/** `condition ? chosen : otherwise`, and Python's `chosen if condition else otherwise`. */
function choiceOf(
  node: SyntaxNode,
): Partial<Record<"condition" | "chosen" | "otherwise", SyntaxNode | undefined>> | undefined {
  if (node.kind === "conditional_expression") {
    const [chosen, condition, otherwise] = node.children;
    return { condition, chosen, otherwise };
  }
  if (node.kind !== "ternary_expression") return undefined;
  const [condition, chosen, otherwise] = ["condition", "consequence", "alternative"].map((name) =>
    node.field(name),
  );
  return { condition, chosen, otherwise };
}

/** What comes where the condition does not hold: else, or the return after it. */
function alternativeOf(node: SyntaxNode): SyntaxNode | undefined {
  const own = node.field("alternative");
  if (own) return own.kind === "if_statement" || own.field("condition") ? undefined : own;
  const siblings = node.parent?.children ?? [];
  const next = siblings[siblings.indexOf(node) + 1];
  return next?.kind === "return_statement" ? next : undefined;
}

/** Of a result of `Promise.allSettled`. */
const settledForm = /[!=]==?\s*["'`](fulfilled|rejected)["'`]/;
const statusWord =
  /\.ok\b|[sS]tatus(Code|_code)?\b|\bis_success\b|\bis_error\b|\bIsError\b|\bisSuccess\b|\.statusText\b/;
const failedForm =
  /!\s*\(?[\w.]+\.ok\b|\bnot\s+[\w.]+\.(ok|is_success)\b|!==?\s*(200|http\.StatusOK|httpStatus\.OK|HTTPStatus\.OK)|>=?\s*(300|400|399|299|http\.StatusBadRequest)|===?\s*([45]\d\d|http\.Status(NotFound|Unauthorized|Gone)|HTTPStatus\.NOT_FOUND)|[sS]tatus\w*\s+(not )?in\b|\bIsError\b|(?<!not [\w.]*)\bis_error\b|===?\s*["'`]rejected["'`]|!==?\s*["'`]fulfilled["'`]/;
const succeededForm =
  /\.ok\b|===?\s*(200|http\.StatusOK)|is_success|isSuccess|<\s*(300|400)|===?\s*["'`]fulfilled["'`]|!==?\s*["'`]rejected["'`]/;

/** Whether a condition holds for a failed or for a successful response; undefined if it tests something else. */
function statusTest(condition: string): "failed" | "succeeded" | undefined {
  if (!statusWord.test(condition)) return undefined;
  if (failedForm.test(condition)) return "failed";
  return succeededForm.test(condition) ? "succeeded" : undefined;
}

/** What `!value`, `not value`, `value == nil` and `value.length === 0` test. */
function missingTest(condition: SyntaxNode): SyntaxNode | undefined {
  if (/^(unary_expression|not_operator)$/.test(condition.kind) && /^(!|not\b)/.test(condition.text))
    return condition.children[0];
  const [left, right] = condition.children;
  const isComparison = /^(binary_expression|comparison_operator)$/.test(condition.kind);
  if (!isComparison || !left || !right || !/^(null|undefined|None|nil)$/.test(right.text)) return undefined;
  return /(===?|\bis)\s*(null|undefined|None|nil)$/.test(condition.text) && !/is\s+not/.test(condition.text)
    ? left
    : undefined;
}
