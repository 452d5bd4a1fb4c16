// The rules that fill the table of names, one for each kind of syntax node: declarations, assignments, loops, functions,
// state, components and requests.
import { distinctiveNames, numbersAsText, tellingNames } from "../../contract/v1/code-names.ts";
import { hole, mentionsResource } from "../names/addresses.ts";
import { allNodes, bodies, recordWith, toSnakeCase } from "../names/fields.ts";
import { bindPattern, declaringScope, evaluate, holderOfThis, pass, returnValue } from "./evaluate.ts";
import { giveName } from "./markup.ts";
import type { Program } from "./program.ts";
import { baseName, findRequest } from "./requests.ts";
import { methodsOf, typed } from "./shapes.ts";
import type { SourceFile, Text, Value } from "./source-file.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  classKinds,
  entryOf,
  functionKinds,
  functionName,
  keywordOf,
  listKinds,
  literalOf,
  memberOf,
  objectKinds,
  patternEntryOf,
  returnsOf,
  type SyntaxNode,
  scopeOf,
} from "./syntax.ts";
import { textOf } from "./texts.ts";
import { access, carriesV1, elementOf, withShape } from "./values.ts";

type Rule = (program: Program, file: SourceFile, node: SyntaxNode) => void;

/** Applies the rules to a statement at the top of a file and to everything in it. */
export function applyRules(program: Program, file: SourceFile, statement: SyntaxNode): void {
  for (const node of statement.walk()) ruleFor(node)?.(program, file, node);
}

const rules: Record<string, Rule> = {
  variable_declarator: assign,
  assignment: assign,
  assignment_expression: assign,
  named_expression: assign,
  public_field_definition: assignField,
  field_definition: assignField,
  var_spec: assign,
  const_spec: assign,
  short_var_declaration: assignGo,
  assignment_statement: assignGo,
  for_in_statement: loop,
  for_statement: loop,
  for_in_clause: loop,
  range_clause: loopGo,
  as_pattern: bindAlias,
  with_item: bindAlias,
  type_spec: declareType,
  interface_declaration: declareType,
  type_alias_declaration: declareType,
  jsx_opening_element: giveProperties,
  jsx_self_closing_element: giveProperties,
};

function ruleFor({ kind }: SyntaxNode): Rule | undefined {
  if (callKinds.has(kind)) return applyCall;
  if (functionKinds.has(kind)) return declareFunction;
  if (classKinds.has(kind)) return declareClass;
  return rules[kind];
}

/** What a node at the top of a file declares, when another file or a statement asks for it. */
export function declareAtTop(program: Program, file: SourceFile, node: SyntaxNode): void {
  if (node.kind === "assignment_expression") assignExport(program, file, node);
  else if (ruleFor(node)) ruleFor(node)!(program, file, node);
  else {
    program.bind(file, file.root, "default", evaluate(program, file, node));
    bindTexts(program, file, { scope: file.root, name: "default", source: node });
  }
  // `export default function load() {}`, `export default class …`
  const { parent } = node;
  if (parent?.kind === "export_statement" && /^export\s+default\b/.test(parent.text)) {
    const name = node.field("name")?.text;
    const value = name ? program.declared(file, name) : evaluate(program, file, node);
    program.bind(file, file.root, "default", value);
  }
}

function assignExport(program: Program, file: SourceFile, node: SyntaxNode): void {
  const [, name = "default"] = /exports\.(\w+)$/.exec(node.field("left")?.text ?? "") ?? [];
  const right = node.field("right");
  program.bind(file, file.root, name, evaluate(program, file, right));
  if (right) bindTexts(program, file, { scope: file.root, name, source: right });
}

// Functions and classes.

function declareFunction(program: Program, file: SourceFile, node: SyntaxNode): void {
  const name = node.field("name")?.text;
  const isMethod = /^method_(definition|declaration)$/.test(node.kind) || isInClass(node);
  if (name && !isMethod && /declaration|definition/.test(node.kind))
    program.bind(file, scopeOf(node), name, { fn: { file, node } });
  for (const parameter of node.field("parameters")?.children ?? [])
    declareParameter(program, file, node, parameter);
  const [receiver] = node.field("receiver")?.children ?? [];
  const type = receiver && typed(program, file, receiver.field("type"));
  if (receiver && type) bindPattern(program, file, { target: receiver, value: type, scope: node });
  heat(program, file, node, isMethod);
}

const isInClass = (node: SyntaxNode): boolean => {
  const outer = node.above(new Set([...functionKinds, ...classKinds]));
  return outer !== undefined && classKinds.has(outer.kind);
};

function declareParameter(program: Program, file: SourceFile, fn: SyntaxNode, parameter: SyntaxNode): void {
  const type = typed(program, file, parameter.field("type"));
  if (!type) return;
  const names =
    parameter.kind === "parameter_declaration"
      ? parameter.children.filter(({ kind }) => kind === "identifier")
      : [parameter];
  for (const name of names) {
    bindPattern(program, file, { target: name, value: type, scope: fn });
    if (!file.given.has(name)) file.given.set(name, type);
    // `constructor(private readonly client: Client)`
    if (/^(private|public|protected|readonly)\b/.test(parameter.text))
      program.bind(file, holderOfThis(fn, file), `this.${parameter.field("pattern")?.text}`, type);
  }
}

/** A function that gives V1's data, an address of V1, or asks V1, makes its name one that has to do with V1. */
function heat(program: Program, file: SourceFile, node: SyntaxNode, isMethod: boolean): void {
  const name = functionName(node);
  const known = isMethod ? file.hotMethods : file.hotNames;
  if (!name || known.has(name)) return;
  const asks = [...file.requests.keys()].some((request) => request.isInside(node));
  const isHot =
    asks ||
    carriesV1(returnValue(program, { file, node })) ||
    [...returnsOf(node)].some((result) => mentionsResource(textOf(program, file, result)?.text ?? ""));
  if (!isHot) return;
  known.add(name);
  program.isChanged = true;
}

/** The name of a type that describes V1's data has to do with V1. */
function declareType(program: Program, file: SourceFile, node: SyntaxNode): void {
  const name = node.field("name");
  if (!name || file.hotNames.has(name.text) || !describesV1(typed(program, file, name))) return;
  file.hotNames.add(name.text);
  program.isChanged = true;
}

const describesV1 = (type: Value | undefined): boolean =>
  carriesV1(type) || [...(type?.shape?.members.values() ?? [])].some((member) => carriesV1(member.type()));

function declareClass(program: Program, file: SourceFile, node: SyntaxNode): void {
  declareType(program, file, node);
  const name = node.field("name")?.text;
  const methods = methodsOf(file, node);
  if (name && methods)
    program.bind(file, scopeOf(node), name, {
      ...typed(program, file, node.field("name")),
      members: methods,
    });
}

// Assignments.

const goNames = (node: SyntaxNode) => node.children.filter(({ kind }) => kind === "identifier");

function assign(program: Program, file: SourceFile, node: SyntaxNode): void {
  const target = node.field("name") ?? node.field("left");
  const source = node.field("value") ?? node.field("right");
  if (!target) return;
  const scope = scopeOf(node);
  const value = withShape(evaluate(program, file, source), typed(program, file, node.field("type")));
  if (node.kind === "var_spec" || node.kind === "const_spec")
    for (const name of goNames(node)) program.bind(file, scope, name.text, value);
  else bindPattern(program, file, { target, value, scope: assignedScope(file, node, target, scope) });
  if (source)
    bindTexts(program, file, { scope: textScope(file, target, scope), name: textName(target), source });
  rememberSetter(file, target, source, scope);
}

/** A name that is assigned in a function and declared outside it belongs outside. */
function assignedScope(
  file: SourceFile,
  node: SyntaxNode,
  target: SyntaxNode,
  scope: SyntaxNode,
): SyntaxNode {
  if (node.kind === "assignment_expression" && target.kind === "identifier")
    return declaringScope(file, target);
  return scope;
}

const isThis = (target: SyntaxNode) => /^(this|self)\./.test(target.text);
const textScope = (file: SourceFile, target: SyntaxNode, scope: SyntaxNode) =>
  isThis(target) || isInClassBody(target) ? holderOfThis(target, file) : scope;
const textName = (target: SyntaxNode): string =>
  isInClassBody(target) ? `this.${target.text}` : target.text.replace(/^self\./, "this.");

/** `BASE = "…"` in the body of a Python class. */
const isInClassBody = (target: SyntaxNode): boolean => target.scope?.kind === "class_definition";

function assignField(program: Program, file: SourceFile, node: SyntaxNode): void {
  const name = node.field("name") ?? node.field("property");
  const source = node.field("value");
  if (!name) return;
  const holder = holderOfThis(node, file);
  const value = withShape(evaluate(program, file, source), typed(program, file, node.field("type")));
  program.bind(file, holder, `this.${name.text}`, value);
  if (source) bindTexts(program, file, { scope: holder, name: `this.${name.text}`, source });
}

/** Remembers the text that a name has, those of an object's members, and the base of a client. */
function bindTexts(
  program: Program,
  file: SourceFile,
  { scope, name, source }: { scope: SyntaxNode; name: string; source: SyntaxNode },
): void {
  const inner =
    /^(as_expression|satisfies_expression|expression_list|await_expression|unary_expression)$/.test(
      source.kind,
    )
      ? source.children[0]
      : source;
  if (!inner) return;
  const remember = (key: string, text: Text | undefined, from: SyntaxNode) => {
    program.bindText(file, scope, key, text && { ...text, source: from });
    if (text && scope === file.root && mentionsResource(text.text) && !file.hotNames.has(name)) {
      file.hotNames.add(name);
      program.isChanged = true;
    }
  };
  if (objectKinds.has(inner.kind)) {
    rememberMembers(program, file, { object: inner, name, remember });
    return;
  }
  remember(name, textOf(program, file, inner), inner);
  if (!callKinds.has(inner.kind)) return;
  const [frozen] = argumentsOf(inner);
  if (calleeName(inner) === "freeze" && frozen && objectKinds.has(frozen.kind))
    rememberMembers(program, file, { object: frozen, name, remember });
  const base = baseIn(argumentsOf(inner));
  if (base) remember(`${name}.${baseName}`, textOf(program, file, base) ?? unknownBase(base), base);
}

const unknownBase = (at: SyntaxNode): Text => ({ text: `${hole}/`, at, literals: [] });

function rememberMembers(
  program: Program,
  file: SourceFile,
  {
    object,
    name,
    remember,
  }: {
    object: SyntaxNode;
    name: string;
    remember: (key: string, text: Text | undefined, from: SyntaxNode) => void;
  },
): void {
  for (const pair of object.children) {
    const entry = entryOf(pair);
    if (!entry || functionKinds.has(entry.value.kind)) continue;
    const key = `${name}.${entry.key}`;
    if (objectKinds.has(entry.value.kind))
      rememberMembers(program, file, { object: entry.value, name: key, remember });
    else remember(key, textOf(program, file, entry.value), entry.value);
  }
}

const baseKeys = new Set(["baseURL", "baseUrl", "prefixUrl", "base_url", "BaseURL", "prefix"]);

/** The base of a client's addresses among the arguments that make it; also inside a wrapper of a library. */
function baseIn(args: readonly SyntaxNode[]): SyntaxNode | undefined {
  for (const argument of args) {
    const keyword = keywordOf(argument);
    if (keyword && baseKeys.has(keyword.name)) return keyword.value;
    for (const pair of objectKinds.has(argument.kind) ? argument.children : []) {
      const entry = entryOf(pair);
      if (entry && baseKeys.has(entry.key)) return entry.value;
    }
    const inner = callKinds.has(argument.kind) ? baseIn(argumentsOf(argument)) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

function assignGo(program: Program, file: SourceFile, node: SyntaxNode): void {
  const [left, right] = [node.field("left"), node.field("right")];
  if (!left || !right) return;
  const scope = scopeOf(node);
  const [only, another] = right.children;
  if (only && !another) {
    bindPattern(program, file, { target: left, value: evaluate(program, file, only), scope });
    if (left.children[0]) bindTexts(program, file, { scope, name: left.children[0].text, source: only });
    return;
  }
  for (const [index, target] of left.children.entries())
    bindPattern(program, file, { target, value: evaluate(program, file, right.children[index]), scope });
}

function bindAlias(program: Program, file: SourceFile, node: SyntaxNode): void {
  const last = node.children.at(-1);
  const target = last?.kind === "as_pattern_target" ? last.children[0] : undefined;
  if (target)
    bindPattern(program, file, {
      target,
      value: evaluate(program, file, node.children[0]),
      scope: scopeOf(node),
    });
}

// Loops.

function loop(program: Program, file: SourceFile, node: SyntaxNode): void {
  const [left, right] = [node.field("left"), node.field("right")];
  if (!left || !right) return;
  const scope = scopeOf(node);
  bindPattern(program, file, { target: left, value: elementOf(evaluate(program, file, right)), scope });
  // Addresses that are tried one after another.
  const list = listKinds.has(right.kind) ? right : undefined;
  if (left.kind !== "identifier" || !list) return;
  const text = list.children
    .map((item) => textOf(program, file, item))
    .find((item) => item && mentionsResource(item.text));
  program.bindText(file, scope, left.text, text);
}

function loopGo(program: Program, file: SourceFile, node: SyntaxNode): void {
  const targets = node.field("left")?.children ?? [];
  if (targets.length > 1)
    bindPattern(program, file, {
      target: targets[1],
      value: elementOf(evaluate(program, file, node.field("right"))),
      scope: scopeOf(node),
    });
}

// Calls: requests, state, components and decoders.

function applyCall(program: Program, file: SourceFile, call: SyntaxNode): void {
  findRequest(program, file, call);
  evaluate(program, file, call);
  setState(program, file, call);
  decodeGo(program, file, call);
  giveToComponent(program, file, call);
  append(program, file, call);
}

/** `const [passport, setPassport] = useState()`. */
function rememberSetter(
  file: SourceFile,
  target: SyntaxNode,
  source: SyntaxNode | undefined,
  scope: SyntaxNode,
): void {
  const call = source?.kind === "await_expression" ? source.children[0] : source;
  if (target.kind !== "array_pattern" || !call || !callKinds.has(call.kind)) return;
  const [state, setter] = target.children;
  if (!state || !setter || !/^set[A-Z_]|^set$/.test(setter.text)) return;
  const setters = file.setters.get(scope) ?? new Map<string, string>();
  file.setters.set(scope, setters.set(setter.text, state.text));
}

function setState(program: Program, file: SourceFile, call: SyntaxNode): void {
  const callee = calleeOf(call);
  if (callee?.kind !== "identifier") return;
  for (let scope: SyntaxNode | undefined = call; scope; scope = scope.scope) {
    const state = file.setters.get(scope)?.get(callee.text);
    if (state === undefined) continue;
    const value = evaluate(program, file, argumentsOf(call)[0]);
    program.bind(file, scope, state, value?.fn ? returnValue(program, value.fn) : value);
    return;
  }
}

/** `rows.push(row)`, `rows.append(row)`, `rows.extend(page)`: the list has such items. */
function append(program: Program, file: SourceFile, call: SyntaxNode): void {
  const name = calleeName(call);
  const callee = calleeOf(call);
  if (!callee || !/^(push|append|unshift|extend|add)$/.test(name)) return;
  const of = memberOf(callee)?.of;
  const [first] = argumentsOf(call);
  if (!of || !first) return;
  const value = evaluate(program, file, first);
  const isSpread = first.kind === "spread_element" || name === "extend";
  const item = isSpread ? elementOf(value) : value;
  if (!item || !carriesV1(item)) return;
  if (/^(this|self)\.\w+$/.test(of.text))
    program.bind(file, holderOfThis(call, file), of.text.replace(/^self/, "this"), { list: item });
  else if (of.kind === "identifier") program.bind(file, declaringScope(file, of), of.text, { list: item });
}

/** `json.Unmarshal(data, &out)`, `.Decode(&out)`, `client.get(path, &out)`: `out` has the response. */
function decodeGo(program: Program, file: SourceFile, call: SyntaxNode): void {
  if (file.language !== "go") return;
  const args = argumentsOf(call);
  const targets = args.flatMap((argument) =>
    argument.kind === "unary_expression" &&
    argument.text.startsWith("&") &&
    argument.children[0]?.kind === "identifier"
      ? [argument.children[0]]
      : [],
  );
  if (targets.length === 0) return;
  const callee = calleeOf(call);
  const of = callee && memberOf(callee)?.of;
  const decoded = [
    file.requests.has(call) ? evaluate(program, file, call) : undefined,
    of && evaluate(program, file, of),
    ...args.map((argument) =>
      targets.includes(argument.children[0]!) ? undefined : evaluate(program, file, argument),
    ),
  ].find((value) => value?.node?.path === "" && value.origin?.by === "call");
  for (const target of targets) {
    const declared = evaluate(program, file, target);
    const response = file.requests.has(call)
      ? {
          node: bodies[file.requests.get(call)!.endpoint],
          origin: { by: "call" as const, request: file.requests.get(call)! },
        }
      : decoded;
    if (response)
      program.bind(file, declaringScope(file, target), target.text, withShape(response, declared));
  }
}

/** `<Card passport={passport} />`: the component's first parameter has the property. */
function giveProperties(program: Program, file: SourceFile, node: SyntaxNode): void {
  const name = node.field("name");
  if (!name || !/^[A-Z]/.test(name.text)) return;
  const members = new Map<string, Value>();
  let spread: Value | undefined;
  for (const attribute of node.children) {
    const [key, source] = attribute.children;
    if (attribute.kind === "jsx_attribute" && key && source) {
      const value = evaluate(program, file, source);
      if (value) members.set(key.text, value);
    } else if (attribute.kind === "jsx_expression")
      spread ??= evaluate(program, file, attribute.children[0]?.children[0]);
  }
  const fn = evaluate(program, file, name)?.fn;
  if (fn && (members.size > 0 || spread)) pass(program, fn, 0, { members, spread });
}

/** A component of Vue or Svelte knows a property as a name; see markup.ts. */
function giveToComponent(program: Program, file: SourceFile, call: SyntaxNode): void {
  if (calleeName(call) !== giveName) return;
  const [component, property, source] = argumentsOf(call);
  const value = evaluate(program, file, source);
  const from = component && file.imports.get(component.text);
  const name = property && literalOf(property);
  if (!value || !from || !name || !carriesV1(value)) return;
  for (const other of program.resolve(file, from.specifiers)) {
    program.bind(other, other.root, name, value);
    program.bind(other, other.root, "props", { members: new Map([[name, value]]) });
  }
}

// Values of unknown origin.

const fieldNames = new Set(allNodes.filter(({ isEnvelope }) => !isEnvelope).map(({ name }) => name));

/** V1's name for a key: `humanCheckmark` is `human_checkmark`, where a library renamed the keys. */
const v1Name = (key: string): string => {
  const renamed = toSnakeCase(key);
  return tellingNames.has(renamed) ? renamed : key;
};

/** A variable of unknown origin from which a name is read that only V1 has is V1's record. */
export function recognizeRecords(program: Program, file: SourceFile, statement: SyntaxNode): void {
  const read = new Map<string, { scope: SyntaxNode; name: string; keys: Set<string> }>();
  for (const node of statement.walk()) {
    const member = memberOf(node);
    const key = member?.key === undefined ? undefined : v1Name(member.key);
    if (!member || key === undefined || member.of.kind !== "identifier" || !fieldNames.has(key)) continue;
    if (evaluate(program, file, member.of)) continue;
    const scope = declaringScope(file, member.of);
    const id = `${scope.line} ${scope.kind} ${member.of.text}`;
    const entry = read.get(id) ?? { scope, name: member.of.text, keys: new Set<string>() };
    read.set(id, entry);
    entry.keys.add(key);
  }
  for (const { scope, name, keys } of read.values()) {
    const telling = [...keys].find((key) => tellingNames.has(key));
    const distinctive = [...keys].filter((key) => distinctiveNames.has(key) && !numbersAsText.has(key));
    if (telling === undefined && distinctive.length < 2) continue;
    const node = recordWith([...keys], distinctiveNames, program.asked);
    const evidence = telling ?? distinctive[0]!;
    if (node) program.bind(file, scope, name, { node, origin: { by: "name", name: evidence } });
  }
}

/** The value that a pattern takes apart. */
export function patternValue(program: Program, file: SourceFile, pattern: SyntaxNode): Value | undefined {
  const { parent } = pattern;
  if (!parent) return undefined;
  switch (parent.kind) {
    case "variable_declarator":
    case "assignment_expression":
      return evaluate(program, file, parent.field("value") ?? parent.field("right"));
    case "for_in_statement":
      return elementOf(evaluate(program, file, parent.field("right")));
    case "pair_pattern": {
      const outer = patternValue(program, file, parent.parent!);
      const key = patternEntryOf(parent)?.key;
      return key === undefined ? undefined : access(outer, key);
    }
    case "assignment_pattern":
    case "object_assignment_pattern":
      return patternValue(program, file, parent);
    case "required_parameter":
    case "optional_parameter":
      return file.given.get(parent) ?? typed(program, file, parent.field("type"));
    default:
      return undefined;
  }
}
