// The rules that fill the table of names, one for each kind of syntax node: declarations, assignments, loops, functions,
// state, components and requests.
import { distinctiveNames, numbersAsText, tellingNames } from "../../contract/v1/code-names.ts";
import { hole, mentionsResource } from "../names/addresses.ts";
import { allNodes, bodies, recordWith, toSnakeCase } from "../names/fields.ts";
import {
  bindPattern,
  calledBy,
  declaringScope,
  evaluate,
  holderOfThis,
  pass,
  returnValue,
} from "./evaluate.ts";
import { giveName } from "./markup.ts";
import {
  access,
  carriesV1,
  elementOf,
  type SourceFile,
  type Text,
  type Value,
  withShape,
} from "./program.ts";
import { baseName, findRequest } from "./requests.ts";
import { methodsOf, typed } from "./shapes.ts";
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

type Rule = (file: SourceFile, node: SyntaxNode) => void;

/** Applies the rules to a statement at the top of a file and to everything in it. */
export function applyRules(file: SourceFile, statement: SyntaxNode): void {
  for (const node of statement.walk()) ruleFor(node)?.(file, node);
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
export function declareAtTop(file: SourceFile, node: SyntaxNode): void {
  if (node.kind === "assignment_expression") assignExport(file, node);
  else if (ruleFor(node)) ruleFor(node)!(file, node);
  else {
    file.bind(file.root, "default", evaluate(file, node));
    bindTexts(file, { scope: file.root, name: "default", source: node });
  }
  // `export default function load() {}`, `export default class …`
  const { parent } = node;
  if (parent?.kind === "export_statement" && /^export\s+default\b/.test(parent.text)) {
    const name = node.field("name")?.text;
    const value = name ? file.declared(name) : evaluate(file, node);
    file.bind(file.root, "default", value);
    // `export default axios.create({ baseURL })`
    if (!name) bindTexts(file, { scope: file.root, name: "default", source: node });
  }
}

function assignExport(file: SourceFile, node: SyntaxNode): void {
  const [, name = "default"] = /exports\.(\w+)$/.exec(node.field("left")?.text ?? "") ?? [];
  const right = node.field("right");
  file.bind(file.root, name, evaluate(file, right));
  if (right) bindTexts(file, { scope: file.root, name, source: right });
}

// Functions and classes.

function declareFunction(file: SourceFile, node: SyntaxNode): void {
  const name = node.field("name")?.text;
  const isMethod = /^method_(definition|declaration)$/.test(node.kind) || isInClass(node);
  if (name && !isMethod && /declaration|definition/.test(node.kind))
    file.bind(scopeOf(node), name, { fn: { file, node } });
  for (const parameter of node.field("parameters")?.children ?? []) declareParameter(file, node, parameter);
  const [receiver] = node.field("receiver")?.children ?? [];
  const type = receiver && typed(file, receiver.field("type"));
  if (receiver && type) bindPattern(file, { target: receiver, value: type, scope: node });
  heat(file, node);
}

const isInClass = (node: SyntaxNode): boolean => {
  const outer = node.above(new Set([...functionKinds, ...classKinds]));
  return outer !== undefined && classKinds.has(outer.kind);
};

function declareParameter(file: SourceFile, fn: SyntaxNode, parameter: SyntaxNode): void {
  const type = typed(file, parameter.field("type"));
  if (!type) return;
  const names =
    parameter.kind === "parameter_declaration"
      ? parameter.children.filter(({ kind }) => kind === "identifier")
      : [parameter];
  for (const name of names) {
    bindPattern(file, { target: name, value: type, scope: fn });
    if (!file.given.has(name)) file.given.set(name, type);
    // `constructor(private readonly client: Client)`
    if (/^(private|public|protected|readonly)\b/.test(parameter.text))
      file.bind(holderOfThis(fn, file), `this.${parameter.field("pattern")?.text}`, type);
  }
}

/** Whether the code in a function asks V1, or calls a function that does. */
function asksV1(file: SourceFile, node: SyntaxNode): boolean {
  const { askingFunctions } = file.program;
  if ([...file.requests.keys()].some((request) => request.isInside(node))) return true;
  if (askingFunctions.size === 0) return false;
  for (const call of node.walk())
    if (callKinds.has(call.kind) && calledBy(file, call).some((fn) => askingFunctions.has(fn.node)))
      return true;
  return false;
}

/** A function that gives V1's data, an address of V1, or asks V1, makes its name one that has to do with V1. */
function heat(file: SourceFile, node: SyntaxNode): void {
  const { askingFunctions } = file.program;
  const name = functionName(node);
  if (!name || askingFunctions.has(node)) return;
  const asks = asksV1(file, node);
  if (asks) askingFunctions.add(node);
  if (file.hotNames.has(name)) {
    file.program.isChanged ||= asks;
    return;
  }
  const isHot =
    asks ||
    carriesV1(returnValue({ file, node })) ||
    [...returnsOf(node)].some((result) => mentionsResource(textOf(file, result)?.text ?? ""));
  if (!isHot) return;
  file.hotNames.add(name);
  file.program.isChanged = true;
}

/** The name of a type that describes V1's data has to do with V1. */
function declareType(file: SourceFile, node: SyntaxNode): void {
  const name = node.field("name");
  if (!name || file.hotNames.has(name.text) || !describesV1(typed(file, name))) return;
  file.hotNames.add(name.text);
  file.program.isChanged = true;
}

const describesV1 = (type: Value | undefined): boolean =>
  carriesV1(type) || [...(type?.shape?.members.values() ?? [])].some((member) => carriesV1(member.type()));

function declareClass(file: SourceFile, node: SyntaxNode): void {
  declareType(file, node);
  const name = node.field("name")?.text;
  const methods = methodsOf(file, node);
  if (name && methods)
    file.bind(scopeOf(node), name, {
      ...typed(file, node.field("name")),
      members: methods,
    });
}

// Assignments.

const goNames = (node: SyntaxNode) => node.children.filter(({ kind }) => kind === "identifier");

function assign(file: SourceFile, node: SyntaxNode): void {
  const target = node.field("name") ?? node.field("left");
  const source = node.field("value") ?? node.field("right");
  if (!target) return;
  const scope = scopeOf(node);
  const value = withShape(evaluate(file, source), typed(file, node.field("type")));
  if (node.kind === "var_spec" || node.kind === "const_spec")
    for (const name of goNames(node)) file.bind(scope, name.text, value);
  else bindPattern(file, { target, value, scope: assignedScope(file, node, target, scope) });
  if (source) bindTexts(file, { scope: textScope(file, target, scope), name: textName(target), source });
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

function assignField(file: SourceFile, node: SyntaxNode): void {
  const name = node.field("name") ?? node.field("property");
  const source = node.field("value");
  if (!name) return;
  const holder = holderOfThis(node, file);
  const value = withShape(evaluate(file, source), typed(file, node.field("type")));
  file.bind(holder, `this.${name.text}`, value);
  if (source) bindTexts(file, { scope: holder, name: `this.${name.text}`, source });
}

/** Remembers the text that a name has, those of an object's members, and the base of a client. */
function bindTexts(
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
    file.bindText(scope, key, text && { ...text, source: from });
    if (text && scope === file.root && mentionsResource(text.text) && !file.hotNames.has(name)) {
      file.hotNames.add(name);
      file.program.isChanged = true;
    }
  };
  if (objectKinds.has(inner.kind)) {
    rememberMembers(file, { object: inner, name, remember });
    return;
  }
  remember(name, textOf(file, inner), inner);
  if (!callKinds.has(inner.kind)) return;
  const [frozen] = argumentsOf(inner);
  if (calleeName(inner) === "freeze" && frozen && objectKinds.has(frozen.kind))
    rememberMembers(file, { object: frozen, name, remember });
  const base = baseIn(argumentsOf(inner));
  if (base) remember(`${name}.${baseName}`, textOf(file, base) ?? unknownBase(base), base);
}

const unknownBase = (at: SyntaxNode): Text => ({ text: `${hole}/`, at, literals: [] });

function rememberMembers(
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
      rememberMembers(file, { object: entry.value, name: key, remember });
    else remember(key, textOf(file, entry.value), entry.value);
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

function assignGo(file: SourceFile, node: SyntaxNode): void {
  const [left, right] = [node.field("left"), node.field("right")];
  if (!left || !right) return;
  const scope = scopeOf(node);
  const [only, another] = right.children;
  if (only && !another) {
    bindPattern(file, { target: left, value: evaluate(file, only), scope });
    if (left.children[0]) bindTexts(file, { scope, name: left.children[0].text, source: only });
    return;
  }
  for (const [index, target] of left.children.entries())
    bindPattern(file, { target, value: evaluate(file, right.children[index]), scope });
}

function bindAlias(file: SourceFile, node: SyntaxNode): void {
  const last = node.children.at(-1);
  const target = last?.kind === "as_pattern_target" ? last.children[0] : undefined;
  if (target)
    bindPattern(file, {
      target,
      value: evaluate(file, node.children[0]),
      scope: scopeOf(node),
    });
}

// Loops.

function loop(file: SourceFile, node: SyntaxNode): void {
  const [left, right] = [node.field("left"), node.field("right")];
  if (!left || !right) return;
  const scope = scopeOf(node);
  bindPattern(file, { target: left, value: elementOf(evaluate(file, right)), scope });
  // Addresses that are tried one after another.
  const list = listKinds.has(right.kind) ? right : undefined;
  if (left.kind !== "identifier" || !list) return;
  const text = list.children
    .map((item) => textOf(file, item))
    .find((item) => item && mentionsResource(item.text));
  file.bindText(scope, left.text, text);
}

function loopGo(file: SourceFile, node: SyntaxNode): void {
  const targets = node.field("left")?.children ?? [];
  if (targets.length > 1)
    bindPattern(file, {
      target: targets[1],
      value: elementOf(evaluate(file, node.field("right"))),
      scope: scopeOf(node),
    });
}

// Calls: requests, state, components and decoders.

function applyCall(file: SourceFile, call: SyntaxNode): void {
  findRequest(file, call);
  evaluate(file, call);
  setState(file, call);
  decodeGo(file, call);
  giveToComponent(file, call);
  append(file, call);
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

function setState(file: SourceFile, call: SyntaxNode): void {
  const callee = calleeOf(call);
  if (callee?.kind !== "identifier") return;
  for (let scope: SyntaxNode | undefined = call; scope; scope = scope.scope) {
    const state = file.setters.get(scope)?.get(callee.text);
    if (state === undefined) continue;
    const value = evaluate(file, argumentsOf(call)[0]);
    file.bind(scope, state, value?.fn ? returnValue(value.fn) : value);
    return;
  }
}

/** `rows.push(row)`, `rows.append(row)`, `rows.extend(page)`: the list has such items. */
function append(file: SourceFile, call: SyntaxNode): void {
  const name = calleeName(call);
  const callee = calleeOf(call);
  if (!callee || !/^(push|append|unshift|extend|add)$/.test(name)) return;
  const of = memberOf(callee)?.of;
  const [first] = argumentsOf(call);
  if (!of || !first) return;
  const value = evaluate(file, first);
  const isSpread = first.kind === "spread_element" || name === "extend";
  const item = isSpread ? elementOf(value) : value;
  if (!item || !carriesV1(item)) return;
  if (/^(this|self)\.\w+$/.test(of.text))
    file.bind(holderOfThis(call, file), of.text.replace(/^self/, "this"), { list: item });
  else if (of.kind === "identifier") file.bind(declaringScope(file, of), of.text, { list: item });
}

/** `json.Unmarshal(data, &out)`, `.Decode(&out)`, `client.get(path, &out)`: `out` has the response. */
function decodeGo(file: SourceFile, call: SyntaxNode): void {
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
    file.requests.has(call) ? evaluate(file, call) : undefined,
    of && evaluate(file, of),
    ...args.map((argument) =>
      targets.includes(argument.children[0]!) ? undefined : evaluate(file, argument),
    ),
  ].find((value) => value?.node?.path === "" && value.origin?.by === "call");
  for (const target of targets) {
    const declared = evaluate(file, target);
    const response = file.requests.has(call)
      ? {
          node: bodies[file.requests.get(call)!.endpoint],
          origin: { by: "call" as const, request: file.requests.get(call)! },
        }
      : decoded;
    if (response) file.bind(declaringScope(file, target), target.text, withShape(response, declared));
  }
}

/** `<Card passport={passport} />`: the component's first parameter has the property. */
function giveProperties(file: SourceFile, node: SyntaxNode): void {
  const name = node.field("name");
  if (!name || !/^[A-Z]/.test(name.text)) return;
  const members = new Map<string, Value>();
  let spread: Value | undefined;
  for (const attribute of node.children) {
    const [key, source] = attribute.children;
    if (attribute.kind === "jsx_attribute" && key && source) {
      const value = evaluate(file, source);
      if (value) members.set(key.text, value);
    } else if (attribute.kind === "jsx_expression")
      spread ??= evaluate(file, attribute.children[0]?.children[0]);
  }
  const fn = evaluate(file, name)?.fn;
  if (fn && (members.size > 0 || spread)) pass(fn, 0, { members, spread });
}

/** A component of Vue or Svelte knows a property as a name; see markup.ts. */
function giveToComponent(file: SourceFile, call: SyntaxNode): void {
  if (calleeName(call) !== giveName) return;
  const [component, property, source] = argumentsOf(call);
  const value = evaluate(file, source);
  const from = component && file.imports.get(component.text);
  const name = property && literalOf(property);
  if (!value || !from || !name || !carriesV1(value)) return;
  for (const other of file.resolve(from.specifiers)) {
    other.bind(other.root, name, value);
    other.bind(other.root, "props", { members: new Map([[name, value]]) });
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
export function recognizeRecords(file: SourceFile, statement: SyntaxNode): void {
  const read = new Map<string, { scope: SyntaxNode; name: string; keys: Set<string> }>();
  for (const node of statement.walk()) {
    const member = memberOf(node);
    const key = member?.key === undefined ? undefined : v1Name(member.key);
    if (!member || key === undefined || member.of.kind !== "identifier" || !fieldNames.has(key)) continue;
    if (evaluate(file, member.of)) continue;
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
    const node = recordWith([...keys], distinctiveNames, file.program.asked);
    const evidence = telling ?? distinctive[0]!;
    if (node) file.bind(scope, name, { node, origin: { by: "name", name: evidence } });
  }
}

/** The value that a pattern takes apart. */
export function patternValue(file: SourceFile, pattern: SyntaxNode): Value | undefined {
  const { parent } = pattern;
  if (!parent) return undefined;
  switch (parent.kind) {
    case "variable_declarator":
    case "assignment_expression":
      return evaluate(file, parent.field("value") ?? parent.field("right"));
    case "for_in_statement":
      return elementOf(evaluate(file, parent.field("right")));
    case "pair_pattern": {
      const outer = patternValue(file, parent.parent!);
      const key = patternEntryOf(parent)?.key;
      return key === undefined ? undefined : access(outer, key);
    }
    case "assignment_pattern":
    case "object_assignment_pattern":
      return patternValue(file, parent);
    case "required_parameter":
    case "optional_parameter":
      return file.given.get(parent) ?? typed(file, parent.field("type"));
    default:
      return undefined;
  }
}
