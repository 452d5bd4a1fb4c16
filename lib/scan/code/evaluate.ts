// What an expression stands for. Nothing is executed: each rule looks at one syntax node, the order of statements does not
// matter, and what is not known has no value.

import { tellingNames } from "../../contract/v1/code-names.ts";
import { nodeNamed } from "../names/fields.ts";
import {
  access,
  carriesV1,
  elementOf,
  type FunctionRef,
  firstOf,
  type SourceFile,
  type Value,
  valueAt,
  withShape,
} from "./program.ts";
import { methodsOf, typed } from "./shapes.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  entryOf,
  functionKinds,
  memberOf,
  parameterName,
  parametersOf,
  patternEntryOf,
  returnsOf,
  type SyntaxNode,
  scopeOf,
  wordSet,
} from "./syntax.ts";

export function evaluate(file: SourceFile, node: SyntaxNode | undefined): Value | undefined {
  if (!node) return undefined;
  const { values, running } = file.program;
  if (values.has(node)) return values.get(node);
  if (running.has(node)) return undefined;
  running.add(node);
  try {
    const value = evaluateNew(file, node);
    values.set(node, value);
    return value;
  } finally {
    running.delete(node);
  }
}

const transparent = wordSet(
  "await_expression await parenthesized_expression non_null_expression expression_statement unary_expression spread_element list_splat jsx_expression expression_list literal_element yield type_assertion_expression",
);

function evaluateNew(file: SourceFile, node: SyntaxNode): Value | undefined {
  const part = (name: string) => evaluate(file, node.field(name));
  const child = (at: number) => evaluate(file, node.children[at]);
  const { kind } = node;
  if (transparent.has(kind)) return child(0);
  if (functionKinds.has(kind)) return { fn: { file, node } };
  if (callKinds.has(kind)) return file.program.rules.callResult(file, node);
  switch (kind) {
    case "identifier":
    case "type_identifier":
    case "shorthand_property_identifier":
      return file.lookup(node, node.text);
    case "as_expression":
    case "satisfies_expression":
      return withShape(child(0), typed(file, node.children[1]));
    case "type_assertion":
      return child(0);
    case "ternary_expression":
      return better(part("consequence"), part("alternative"));
    case "conditional_expression":
      return better(child(0), child(2));
    case "binary_expression":
    case "boolean_operator":
      if (/^(&&|and)$/.test(node.operator)) return part("right");
      return /^(\|\||\?\?|or)$/.test(node.operator) ? better(part("left"), part("right")) : undefined;
    case "named_expression":
      return part("value");
    case "assignment_expression":
      return part("right");
    case "object":
    case "dictionary":
      return objectValue(file, node);
    case "array":
    case "list":
    case "tuple": {
      const items = node.children.map((item) => evaluate(file, item));
      const [first] = node.children;
      if (first?.kind === "spread_element" || first?.kind === "list_splat") return items[0];
      return items.some((item) => item !== undefined) ? { items } : undefined;
    }
    case "composite_literal":
      return typed(file, node.field("type"));
    case "list_comprehension":
    case "generator_expression":
    case "set_comprehension": {
      const item = part("body");
      return item && { list: item };
    }
    case "class":
    case "class_declaration":
      return { members: methodsOf(file, node) };
    default:
      return memberValue(file, node);
  }
}

/** The one of two values that says more about V1. */
function better(first: Value | undefined, second: Value | undefined): Value | undefined {
  if (!first || (!carriesV1(first) && carriesV1(second))) return second;
  return first;
}

function memberValue(file: SourceFile, node: SyntaxNode): Value | undefined {
  const member = memberOf(node);
  if (!member) return undefined;
  const { of: receiver, key, at } = member;
  if (/^(this|self)$/.test(receiver.text) && key !== undefined) {
    const method = file.method(key);
    return file.lookup(node, `this.${key}`) ?? (method && { fn: method });
  }
  const of = evaluate(file, receiver);
  if (key === undefined) {
    return /^\d+$/.test(at.text) && of?.items ? of.items[Number(at.text)] : elementOf(of);
  }
  const found = access(of, key);
  if (found) return found;
  if (of?.node || of?.list) return undefined;
  const exported = firstOf(file.placesOfMember(receiver.text, key), valueAt);
  if (exported) return exported;
  // An object that only V1 gives such a name is known, whatever it is read from.
  const named = file.isNear && tellingNames.has(key) ? nodeNamed(key, file.program.asked) : undefined;
  if (named && (named.children.size > 0 || named.element))
    return { node: named, origin: { by: "name", name: key } };
  const isCalled = node.parent && callKinds.has(node.parent.kind) && calleeOf(node.parent) === node;
  const method = isCalled ? file.method(key) : undefined;
  return method && { fn: method };
}

function objectValue(file: SourceFile, node: SyntaxNode): Value {
  const members = new Map<string, Value>();
  let spread: Value | undefined;
  for (const pair of node.children) {
    if (pair.kind === "spread_element" || pair.kind === "dictionary_splat") {
      spread ??= evaluate(file, pair.children[0]);
      continue;
    }
    const entry = entryOf(pair);
    if (entry) members.set(entry.key, evaluate(file, entry.value) ?? {});
  }
  return { members, spread };
}

/** The function of the code's own that a call calls. */
export function functionOf(file: SourceFile, call: SyntaxNode): FunctionRef | undefined {
  const callee = calleeOf(call);
  if (!callee) return undefined;
  const value = evaluate(file, callee);
  if (value?.fn) return value.fn;
  const key = memberOf(callee)?.key;
  return key === undefined || value?.node ? undefined : file.method(key);
}

/** Functions that call the function that is passed to them, as in `ids.map(score)`. */
const callers = wordSet("map flatMap forEach submit to_thread run_in_executor retry pRetry withRetry");

/** The functions of the code's own that a call calls, also `score` of `ids.map(score)`. */
export function calledBy(file: SourceFile, call: SyntaxNode): FunctionRef[] {
  const fn = functionOf(file, call);
  if (fn) return [fn];
  if (!callers.has(calleeName(call))) return [];
  return argumentsOf(call).flatMap((argument) =>
    functionKinds.has(argument.kind) ? [] : (evaluate(file, argument)?.fn ?? []),
  );
}

/** What a function returns: of its results the one that says most about V1. */
export function returnValue(fn: FunctionRef): Value | undefined {
  const { file, node } = fn;
  const { returned: known, returning } = file.program;
  if (known.has(node)) return known.get(node);
  if (returning.has(node)) return undefined;
  returning.add(node);
  try {
    let value: Value | undefined;
    for (const result of returnsOf(node)) {
      const isSeveral = result.kind === "expression_list" && result.children.length > 1;
      const one = isSeveral ? goResults(file, result) : evaluate(file, result);
      value = joinResults(value, one);
    }
    const declared = typed(file, node.field("return_type") ?? node.field("result"));
    const returned = file.language === "go" && value?.items ? value : withShape(value, declared);
    known.set(node, returned);
    return returned;
  } finally {
    returning.delete(node);
  }
}

/** `return p, nil`: the first result stands for all where only it is known. */
function goResults(file: SourceFile, results: SyntaxNode): Value | undefined {
  const items = results.children.map((result) => evaluate(file, result));
  if (results.kind !== "expression_list" || file.language === "python") return { items };
  return items.slice(1).some((item) => carriesV1(item)) ? { items } : items[0];
}

function joinResults(before: Value | undefined, value: Value | undefined): Value | undefined {
  if (before?.members && value?.members && !before.node && !value.node) {
    const added = [...value.members].filter(([, inner]) => carriesV1(inner) || inner.fn);
    return {
      ...before,
      spread: before.spread ?? value.spread,
      members: new Map([...before.members, ...added]),
    };
  }
  return better(before, value);
}

/** Gives a value to a parameter of a function. */
export function pass(fn: FunctionRef, at: number | string, value: Value | undefined): void {
  if (!value) return;
  const parameters = parametersOf(fn.node);
  const parameter =
    typeof at === "number" ? parameters[at] : parameters.find((one) => parameterName(one) === at);
  if (!parameter) return;
  if (!fn.file.given.get(parameter)?.node) {
    const before = fn.file.given.get(parameter);
    fn.file.given.set(parameter, before && carriesV1(before) ? joinResults(before, value)! : value);
  }
  bindPattern(fn.file, { target: parameter, value, scope: fn.node });
}

const namedFirst = wordSet(
  "typed_parameter default_parameter typed_default_parameter rest_pattern parameter_declaration list_splat_pattern",
);
const takenApart = wordSet("array_pattern pattern_list tuple_pattern list_pattern tuple expression_list");

/** Names of what a helper returns beside the body of a response. */
export const besideBody =
  /^_*(status\w*|code|ok|e|exc?|err\w*|headers?|success|failed|failure|reason|elapsed|duration)$/i;

/** How many items a pattern leaves out at its start: `[, body]`. */
const skippedIn = ({ text }: SyntaxNode): number => (/^\[(\s*,)+/.exec(text)?.[0].split(",").length ?? 1) - 1;

/** `status, body = get(…)`, where the helper is not known: a body is no list, and one of the names says so. */
const isTuple = (target: SyntaxNode, { items, node }: Value): boolean =>
  !items && node?.path === "" && target.children.some(({ text }) => besideBody.test(text));

/** `{ a, b: [c] } = value`: gives each name of a pattern its part of the value. */
export function bindPattern(
  file: SourceFile,
  { target, value, scope }: { target: SyntaxNode | undefined; value: Value | undefined; scope: SyntaxNode },
): void {
  if (!value || !target) return;
  const { kind } = target;
  const bind = (part: SyntaxNode | undefined, inner: Value | undefined) =>
    bindPattern(file, { target: part, value: inner, scope });
  if (kind === "identifier" || kind === "shorthand_property_identifier_pattern") {
    // The only result of a Go function may be an error.
    if (file.language !== "go" || !/^(\w*[eE]rr(or)?|ok)$/.test(target.text))
      file.bind(scope, target.text, value);
  } else if (kind === "required_parameter" || kind === "optional_parameter")
    bind(target.field("pattern") ?? target.children[0], value);
  else if (namedFirst.has(kind)) bind(target.field("name") ?? target.children[0], value);
  else if (kind === "assignment_pattern" || kind === "object_assignment_pattern")
    bind(target.field("left"), value);
  else if (kind === "object_pattern")
    for (const part of target.children) {
      const entry = patternEntryOf(part);
      if (part.kind === "rest_pattern") bind(part, value);
      else if (entry) bind(entry.pattern, access(value, entry.key));
    }
  else if (takenApart.has(kind) && isTuple(target, value))
    for (const part of target.children) bind(part, besideBody.test(part.text) ? undefined : value);
  else if (takenApart.has(kind))
    for (const [index, part] of target.children.entries()) {
      // Of Go's results the first one is the value, the others are an error or a flag.
      const isGo = kind === "expression_list" && file.language === "go";
      const item = value.items
        ? value.items[index + skippedIn(target)]
        : isGo
          ? index === 0
            ? value
            : undefined
          : elementOf(value);
      bind(part, item);
    }
  else bindMember(file, target, value);
}

/** The class, or the file, that `this.name` belongs to. */
export function holderOfThis(node: SyntaxNode, file: SourceFile): SyntaxNode {
  let { scope } = node;
  while (scope && functionKinds.has(scope.kind)) scope = scope.scope;
  return scope ?? file.root;
}

/** `this.passport = …`, `state.value = …`, `holder.passport = …`. */
function bindMember(file: SourceFile, target: SyntaxNode, value: Value): void {
  const member = memberOf(target);
  if (!member || member.key === undefined || !carriesV1(value)) return;
  const { of, key } = member;
  if (/^(this|self)$/.test(of.text)) {
    file.bind(holderOfThis(target, file), `this.${key}`, value);
    return;
  }
  if (of.kind !== "identifier") return;
  const scope = scopeOfName(file, of);
  if (key === "value" || key === "current") file.bind(scope, of.text, value);
  else if (!evaluate(file, of)?.node) file.bind(scope, of.text, { members: new Map([[key, value]]) });
}

/** The function in which a name is known already, or that declares it. */
function scopeOfName(file: SourceFile, name: SyntaxNode): SyntaxNode {
  for (let scope: SyntaxNode | undefined = name; scope; scope = scope.scope)
    if (file.names.get(scope)?.has(name.text)) return scope;
  return declaringScope(file, name);
}

/** The function that has the name as a parameter or declares it, by its text. */
export function declaringScope(file: SourceFile, name: SyntaxNode): SyntaxNode {
  const word = name.text.replace(/[$]/g, "\\$&");
  const inParameters = new RegExp(`(?<![\\w$.])${word}(?![\\w$])`);
  const inBody = new RegExp(
    `(?:const|let|var)\\s+(?:\\{[^}]*|\\[[^\\]]*)?\\b${word}\\b|(?<![\\w$.])${word}(?:, \\w+)?\\s*:?=[^=>]|\\bfor\\s[^\\n]*\\b${word}\\s+in\\b|\\bas\\s+${word}\\b`,
  );
  for (let scope = scopeOf(name); scope !== file.root; scope = scopeOf(scope)) {
    const parameters = (scope.field("parameters") ?? scope.field("parameter"))?.text ?? "";
    if (inParameters.test(parameters) || inBody.test(scope.field("body")?.text ?? "")) return scope;
  }
  return file.root;
}
