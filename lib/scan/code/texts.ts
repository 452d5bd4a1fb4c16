// Addresses in the code: texts with holes for what is not known, made of literals, constants, environment files and imports.
import { hole, integerHole, joinPath, mentionsResource } from "../names/addresses.ts";
import { functionOf } from "./evaluate.ts";
import { firstOf, type Place, type SourceFile, type Text } from "./program.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  entryOf,
  keywordOf,
  listKinds,
  literalOf,
  memberOf,
  objectKinds,
  parameterName,
  parametersOf,
  returnsOf,
  type SyntaxNode,
  wordSet,
} from "./syntax.ts";

/** What the parameters of a function are in one call of it. */
type Arguments = ReadonlyMap<string, Text>;

const maxTextLength = 2_000;
const maxCalls = 4;
const unknownPart = (at: SyntaxNode): Text => ({ text: hole, at, literals: [] });

/** One text after another; `at` is the part that names a resource of V1. */
function joinTexts(parts: readonly (Text | undefined)[], node: SyntaxNode, between = ""): Text {
  // An empty text is the start of something: `useState("")`, `id || ""`.
  const known = parts.map((part) => (part && part.text !== "" ? part : unknownPart(node)));
  const text = known.map((part) => part.text).join(between);
  const at = known.find((part) => mentionsResource(part.text))?.at ?? node;
  return {
    text: text.slice(0, maxTextLength),
    at,
    literals: [...new Set(known.flatMap(({ literals }) => literals))],
  };
}

export function textOf(
  file: SourceFile,
  node: SyntaxNode | undefined,
  { given, calls = 0 }: { given?: Arguments | undefined; calls?: number } = {},
): Text | undefined {
  if (!node) return undefined;
  if (!given && file.program.textValues.has(node)) return file.program.textValues.get(node);
  const text = new TextReader(file, given, calls).read(node);
  if (!given) file.program.textValues.set(node, text);
  return text;
}

const transparent = wordSet(
  "parenthesized_expression non_null_expression as_expression await_expression await spread_element satisfies_expression expression_list literal_element",
);
const formatted = wordSet("Sprintf encodeURI String str Request URL parse Parse quote");
const edited = wordSet(
  "format trim rstrip strip lstrip replace toString TrimRight TrimSuffix href toLowerCase removesuffix TrimSpace",
);

class TextReader {
  private readonly file: SourceFile;
  private readonly given: Arguments | undefined;
  private readonly calls: number;

  constructor(file: SourceFile, given: Arguments | undefined, calls: number) {
    this.file = file;
    this.given = given;
    this.calls = calls;
  }

  private part(node: SyntaxNode | undefined): Text | undefined {
    return textOf(this.file, node, { given: this.given, calls: this.calls });
  }

  read(node: SyntaxNode): Text | undefined {
    const literal = literalOf(node);
    if (literal !== undefined) return { text: literal, at: node, literals: [node] };
    const { kind } = node;
    if (kind === "template_string" || kind === "string") return this.template(node);
    if (kind === "concatenated_string")
      return joinTexts(
        node.children.map((child) => this.part(child)),
        node,
      );
    if (kind === "binary_expression" || kind === "binary_operator" || kind === "boolean_operator")
      return this.binary(node);
    if (kind === "ternary_expression" || kind === "conditional_expression") return this.choice(node);
    if (transparent.has(kind)) return this.part(node.children[0]);
    if (kind === "identifier" || kind === "shorthand_property_identifier") return this.named(node, node.text);
    if (callKinds.has(kind)) return this.call(node);
    const member = memberOf(node);
    if (!member || member.key === undefined) return undefined;
    if (/\benv(iron)?$/.test(member.of.text)) return this.environment(member.key, node);
    return this.named(
      node,
      node.text
        .replace(/^self\./, "this.")
        .replaceAll("?.", ".")
        .replace(/\["?'?(\w+)"?'?\]/g, ".$1"),
    );
  }

  private template(node: SyntaxNode): Text | undefined {
    const parts = node.children.flatMap((part): (Text | undefined)[] => {
      if (part.kind === "template_substitution" || part.kind === "interpolation")
        return [this.part(part.children[0])];
      return /content|fragment/.test(part.kind) ? [{ text: part.text, at: node, literals: [] }] : [];
    });
    const joined = joinTexts(parts, node);
    return joined && { ...joined, literals: [...joined.literals, node] };
  }

  private binary(node: SyntaxNode): Text | undefined {
    const { operator } = node;
    const [left, right] = [node.field("left"), node.field("right")];
    if (operator === "+") return this.sum(node);
    if (operator === "/") return joinTexts([this.part(left), this.part(right)], node, "/");
    if (operator === "%") return this.filled(this.part(left));
    if (/^(\|\||\?\?|or)$/.test(operator)) return this.part(right) ?? this.part(left);
    return undefined;
  }

  /** A long sum is a deep tree. */
  private sum(node: SyntaxNode): Text | undefined {
    const parts: (SyntaxNode | undefined)[] = [];
    let left: SyntaxNode | undefined = node;
    while (left && /^binary_/.test(left.kind) && left.operator === "+") {
      parts.push(left.field("right"));
      left = left.field("left");
    }
    return joinTexts(
      [left, ...parts.reverse()].map((part) => this.part(part)),
      node,
    );
  }

  private choice(node: SyntaxNode): Text | undefined {
    const isPython = node.kind === "conditional_expression";
    const yes = this.part(isPython ? node.children[0] : node.field("consequence"));
    const no = this.part(isPython ? node.children[2] : node.field("alternative"));
    return [yes, no].find((part) => part && mentionsResource(part.text)) ?? no ?? yes;
  }

  /** `%s`, `%d` and `{}` are holes. */
  private filled(text: Text | undefined): Text | undefined {
    return (
      text && {
        ...text,
        text: text.text.replace(/%d/g, integerHole).replace(/%[svq]|%\(\w+\)s|\{\w*\}/g, hole),
      }
    );
  }

  private environment(name: string | undefined, at: SyntaxNode): Text | undefined {
    const text = name === undefined ? undefined : this.file.program.facts.environment.get(name);
    return text === undefined ? undefined : { text, at, literals: [] };
  }

  private named(at: SyntaxNode, name: string): Text | undefined {
    const given = this.given?.get(name);
    if (given) return given;
    const known = textNamed(this.file, at, name);
    // A text that was made of a parameter, in a call that gives it.
    if (this.given && known?.source && known.text.includes(hole) && this.calls < maxCalls * 4)
      return textOf(this.file, known.source, { given: this.given, calls: this.calls + 1 }) ?? known;
    return known;
  }

  private call(node: SyntaxNode): Text | undefined {
    const name = calleeName(node);
    const args = argumentsOf(node);
    const callee = calleeOf(node);
    const member = callee && memberOf(callee);
    if (
      /^(getenv|Getenv|LookupEnv|get|env|config)$/.test(name) &&
      /environ|getenv|Getenv|LookupEnv|\benv\b|config/i.test(callee?.text ?? "")
    )
      return this.environment(args[0] && literalOf(args[0]), node) ?? this.part(args[1]);
    if (/^(URL|urljoin|join|JoinPath|urlJoin)$/.test(name) && (args.length > 1 || name === "JoinPath")) {
      const parts = args.map((argument) => this.part(argument));
      if (name === "URL") parts.reverse();
      if (name === "JoinPath" && member && !/^(url|path)$/.test(member.of.text))
        parts.unshift(this.part(member.of));
      const joined = joinTexts(parts, node);
      return joined && { ...joined, text: parts.map((part) => part?.text || hole).reduce(joinPath) };
    }
    // `"https://…".concat("/api/v1", path)`
    if (name === "concat" && member)
      return joinTexts(
        [member.of, ...args].map((part) => this.part(part)),
        node,
      );
    // `["passports", id].join("/")`, and `"/".join(["passports", id])` of Python.
    if (name === "join" && member) {
      const [list, separator] = listKinds.has(member.of.kind) ? [member.of, args[0]] : [args[0], member.of];
      if (list && listKinds.has(list.kind))
        return joinTexts(
          list.children.map((part) => this.part(part)),
          node,
          (separator && literalOf(separator)) ?? ",",
        );
    }
    if (formatted.has(name)) return this.filled(this.part(args[0]));
    if (edited.has(name)) return this.filled(this.part(member?.of));
    return this.result(node);
  }

  /** What a function of the code's own makes of its arguments. */
  private result(node: SyntaxNode): Text | undefined {
    const fn = functionOf(this.file, node);
    if (!fn || this.calls >= maxCalls || this.file.program.running.has(fn.node)) return undefined;
    this.file.program.running.add(fn.node);
    try {
      const given = argumentTexts(this.file, { call: node, fn: fn.node, outer: this.given });
      for (const value of returnsOf(fn.node)) {
        const text = textOf(fn.file, value, { given, calls: this.calls + 1 });
        if (text && /[\w]/.test(text.text)) return { text: text.text, at: node, literals: text.literals };
      }
    } finally {
      this.file.program.running.delete(fn.node);
    }
    return undefined;
  }
}

/** The texts that a call gives to the parameters of a function. */
export function argumentTexts(
  file: SourceFile,
  { call, fn, outer }: { call: SyntaxNode; fn: SyntaxNode; outer?: Arguments | undefined },
): Map<string, Text> {
  const given = new Map<string, Text>();
  const parameters = parametersOf(fn);
  const add = (name: string | undefined, value: SyntaxNode) => {
    const text = name === undefined ? undefined : textOf(file, value, { given: outer });
    if (text && text.text !== "") given.set(name!, text);
  };
  for (const [index, argument] of argumentsOf(call).entries()) {
    const keyword = keywordOf(argument);
    const parameter = parameters[index];
    if (keyword) add(keyword.name, keyword.value);
    else if (objectKinds.has(argument.kind)) {
      // `get({ path: "/passports" })`, taken apart in the parameters or read as `options.path`.
      const name = parameter && parameterName(parameter);
      for (const pair of argument.children) {
        const entry = entryOf(pair);
        if (!entry) continue;
        add(entry.key, entry.value);
        add(`${name}.${entry.key}`, entry.value);
      }
    } else add(parameter && parameterName(parameter), argument);
  }
  return given;
}

/** The text that a name has: `base`, `config.url`, `this.base`. */
export function textNamed(file: SourceFile, at: SyntaxNode, name: string): Text | undefined {
  for (let scope: SyntaxNode | undefined = at; scope; scope = scope.scope) {
    const found = file.texts.get(scope)?.get(name);
    if (found) return found;
  }
  const [head = "", ...rest] = name.split(".");
  const textAt = ({ file: other, path }: Place, inside: readonly string[]) => {
    other.declared(path[0]);
    return other.texts.get(other.root)?.get([...path, ...inside].join("."));
  };
  const own = textAt({ file, path: [head] }, rest);
  if (own) return own;
  const [member, ...deeper] = rest;
  const found =
    firstOf(file.placesOfImport(head), (place) => textAt(place, rest)) ??
    (member === undefined
      ? undefined
      : firstOf(file.placesOfMember(head, member), (place) => textAt(place, deeper)));
  return found && { text: found.text, at, literals: found.literals };
}
