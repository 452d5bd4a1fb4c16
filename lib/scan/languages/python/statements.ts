// Python, statements: syntax tree → code.
import type { ClassStatement, DeclaredField, Expression, FunctionCode, Statement } from "../../flow/code.ts";
import { createBlockReader, each, operationOf, readContinue } from "../reading.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { readCase, readExpression, readParameters, readPattern, readType } from "./expressions.ts";

function readAssignment(node: SyntaxNode, line: number): Statement[] {
  const left = node.field("left");
  const right = node.field("right");
  if (!right) return [];
  const into = readPattern(left, readType(node.field("type")));
  const bind = (value: Expression): Statement => ({ kind: "bind", into, value, line });
  if (node.kind() === "augmented_assignment") {
    const operator = (node.field("operator")?.text() ?? "").replace("=", "");
    return [bind(operationOf(operator, readExpression(left), readExpression(right), line))];
  }
  return [bind(readExpression(right))];
}

function readImport(node: SyntaxNode, line: number): Statement[] {
  const names = node.fieldChildren("name").map((child) => {
    const imported = (child.field("name") ?? child).text();
    return { imported, local: child.field("alias")?.text() ?? imported };
  });
  if (node.kind() !== "import_from_statement")
    return names.map(({ imported, local }) => ({
      ...{ kind: "import", from: imported, names: [{ imported: "*", local }], line },
    }));
  const from = node.field("module_name")?.text() ?? "";
  const isAll = partsOf(node).some((child) => child.kind() === "wildcard_import");
  // `from package import module`
  const inside = from.endsWith(".") ? from : `${from}.`;
  const named = names.map((one) => ({ ...one, module: inside + one.imported }));
  return [{ kind: "import", from, names: isAll ? [{ imported: "*", local: "*" }] : named, line }];
}

// What decorators and declarations say about a function or a class.
type Decorated = Pick<FunctionCode, "decorators" | "isGetter" | "isOfClass" | "yieldsOnce">;

const plain =
  /^(property|cached_property|computed_field|hybrid_property|classmethod|staticmethod|wraps|setter|abstractmethod|override)$/;

/** A decorator that names a path declares a route; only the tree's own ones are looked into later. */
function readDecorators(node: SyntaxNode): Decorated {
  const named = partsOf(node)
    .filter((child) => child.kind() === "decorator")
    .map((child) => ({
      of: partsOf(child)[0],
      name: (partsOf(child)[0]?.text() ?? "").replace(/\(.*$/s, "").replace(/^.*\./s, ""),
    }));
  const has = (form: RegExp) => named.some(({ name }) => form.test(name));
  const others = named.filter(({ name }) => !plain.test(name));
  return {
    ...(others.length > 0 && { decorators: others.map(({ of }) => readExpression(of)) }),
    ...(has(/^(cached_|hybrid_)?property$/) && { isGetter: true }),
    ...(has(/^classmethod$/) && { isOfClass: true }),
    ...(has(/^(async)?contextmanager$/) && { yieldsOnce: true }),
  };
}

const alias =
  /\b(?:validation_alias|alias|data_key|field_name|rename|(?<=\bfield\(.*)name)\s*=\s*["']([^"']+)["']/;
/** `AliasPath("pagination", "last_page")` */
const aliasPath = /\bAliasPath\(([^)]*)\)/;

/** `id: int = Field(alias="passport_id")`: the name that the code uses, and the key that V1 sends. */
function declaredField(assignment: SyntaxNode): DeclaredField[] {
  const name = assignment.field("left")?.text() ?? "";
  const type = readType(assignment.field("type"));
  if (type === undefined) return [];
  const said = `${assignment.field("right")?.text() ?? ""} ${/\bAnnotated\[/.test(type) ? type : ""}`;
  const path = aliasPath.exec(said)?.[1]?.match(/\w+/g)?.join(".");
  const key = alias.exec(said)?.[1] ?? path ?? name;
  return [{ key, name, type, line: lineOf(assignment) }];
}

const inner = /^(function_definition|lambda|class_definition)$/;

/** What a function's body holds, without the functions inside it. */
const hasYield = (node: SyntaxNode): boolean =>
  partsOf(node).some(
    (child) => child.kind() === "yield" || (!inner.test(String(child.kind())) && hasYield(child)),
  );

function readFunction(node: SyntaxNode, decorated: SyntaxNode): FunctionCode {
  const body = node.field("body");
  return {
    name: node.field("name")?.text(),
    params: readParameters(node.field("parameters")),
    body: readStatements(body),
    isGenerator: body?.text().includes("yield") === true && hasYield(body),
    line: lineOf(node),
    ...(decorated !== node && readDecorators(decorated)),
  };
}

/** Classes that code fills by hand; a model that decodes a body by itself has V1's shape for sure. */
const isHandMade = (decorators: string, bases: string): boolean =>
  /@(\w+\.)?(dataclass|define|frozen|attrs|attr\.s|s)\b/.test(decorators) ||
  /\b(NamedTuple|Enum)\b/.test(bases);

function readClass(node: SyntaxNode, decorated: SyntaxNode): ClassStatement {
  const methods: FunctionCode[] = [];
  const fields: { name: string; value: Expression }[] = [];
  const declared: DeclaredField[] = [];
  for (const child of partsOf(node.field("body") ?? node)) {
    const definition = child.field("definition") ?? child;
    if (definition.kind() === "function_definition") methods.push(readFunction(definition, child));
    const assignment = child.kind() === "expression_statement" ? partsOf(child)[0] : undefined;
    if (assignment?.kind() !== "assignment") continue;
    declared.push(...declaredField(assignment));
    const value = assignment.field("right");
    if (value) fields.push({ name: assignment.field("left")?.text() ?? "", value: readExpression(value) });
  }
  const bases = node.field("superclasses");
  const before = decorated === node ? "" : (decorated.text().split(/^\s*class\b/m)[0] ?? "");
  return {
    ...{ kind: "class", name: node.field("name")?.text() ?? "", methods, fields, declared },
    bases: (bases ? partsOf(bases) : []).map((child) => child.text().replace(/\[.*$/s, "")),
    isHandMade: isHandMade(before, bases?.text() ?? ""),
    ...(decorated !== node && { decorators: readDecorators(decorated).decorators ?? [] }),
    line: lineOf(node),
  };
}

const unrelated =
  /^except\*?\s+\(?(?:[\w.]*\b(?:Stop(?:Async)?Iteration|QueueEmpty|Empty|FileNotFoundError|FileExistsError|KeyboardInterrupt|ImportError|ModuleNotFoundError|CancelledError|NameError)\b[,\s]*)+\)?(?:\s+as\s+\w+)?$/;

function readTry(node: SyntaxNode, line: number): Statement[] {
  const clauses = (form: RegExp) => partsOf(node).filter((child) => form.test(String(child.kind())));
  const handlers = clauses(/^except_clause$/).map((child) => {
    const [header = ""] = child.text().split(/:\s*(?:#.*)?\n/);
    const [, name] = /\sas\s+(\w+)$/.exec(header) ?? [];
    return {
      caught: name ? { kind: "name" as const, name, declares: true } : undefined,
      body: readStatements(partsOf(child).find((part) => part.kind() === "block")),
      line: lineOf(child),
      isUnrelated: unrelated.test(header),
    };
  });
  const after = clauses(/^(else|finally)_clause$/).flatMap((child) => readStatements(partsOf(child).at(-1)));
  return [{ kind: "try", body: readStatements(node.field("body")), handlers, after, line }];
}

function readWith(node: SyntaxNode, line: number): Statement[] {
  const items = partsOf(node).find((child) => child.kind() === "with_clause");
  const body = readStatements(node.field("body"));
  // `with suppress(…):` is a handler that does nothing.
  if (/\bsuppress\(/.test(items?.text() ?? ""))
    return [{ kind: "try", body, handlers: [{ caught: undefined, body: [], line }], after: [], line }];
  const opened = (items ? partsOf(items) : []).map((item): Statement => {
    const value = item.field("value") ?? partsOf(item)[0];
    if (value?.kind() !== "as_pattern") return { kind: "do", value: readExpression(value), line };
    const [source, target] = partsOf(value);
    const of = readExpression(source);
    const callee: Expression = { kind: "member", of, key: "__enter__", line: of.line };
    const entered: Expression = { kind: "call", callee, args: [], line: of.line };
    return { kind: "bind", into: readPattern(target), value: entered, line };
  });
  return [...opened, ...body];
}

function readBranch(node: SyntaxNode, line: number): Statement[] {
  const branch = (clause: SyntaxNode, no: Statement[], at: number): Statement[] => [
    {
      ...{ kind: "branch", test: readExpression(clause.field("condition")), no, line: at },
      yes: readStatements(clause.field("consequence")),
    },
  ];
  const no = node
    .fieldChildren("alternative")
    .reduceRight<Statement[]>(
      (rest, clause) =>
        clause.kind() === "else_clause"
          ? readStatements(clause.field("body"))
          : branch(clause, rest, lineOf(clause)),
      [],
    );
  return branch(node, no, line);
}

/** Every case as if it could happen. */
function readMatch(node: SyntaxNode, line: number): Statement[] {
  const value = readExpression(node.fieldChildren("subject")[0]);
  const clauses = partsOf(node.field("body") ?? node).filter((clause) => clause.kind() === "case_clause");
  return clauses.flatMap((clause): Statement[] => {
    const patterns = partsOf(clause).filter((part) => part.kind() === "case_pattern");
    const binds = patterns.flatMap(readCase).map((into): Statement => ({ kind: "bind", into, value, line }));
    const guard = partsOf(clause).find((part) => part.kind() === "if_clause");
    const test = guard ? readExpression(partsOf(guard)[0]) : value;
    const yes = readStatements(clause.field("consequence"));
    return [...binds, { kind: "branch", test, yes, no: [], line: lineOf(clause) }];
  });
}

function readDefinition(node: SyntaxNode, line: number): Statement[] {
  const definition = node.field("definition") ?? node;
  return definition.kind() === "class_definition"
    ? [readClass(definition, node)]
    : [{ kind: "function", code: readFunction(definition, node), line }];
}

/** cattrs: `human=override(rename="human_checkmark")` says it apart from the class. */
const renames = /(\w+)\s*=\s*override\(\s*rename\s*=\s*["'](\w+)["']/g;

function readExpressionStatement(node: SyntaxNode, line: number): Statement[] {
  const [first] = partsOf(node);
  if (first && /assignment$/.test(String(first.kind()))) return readAssignment(first, lineOf(first));
  const renamed = [...node.text().matchAll(renames)];
  const fields = renamed.map(([, name = "", key = ""]) => ({ key, name, type: "", line }));
  return [
    ...(fields.length > 0 ? [{ kind: "type" as const, name: "", fields, line }] : []),
    ...partsOf(node).map((part): Statement => ({ kind: "do", value: readExpression(part), line })),
  ];
}

export const readStatements = createBlockReader(
  {
    expression_statement: readExpressionStatement,
    return_statement: (node, line) => [
      { kind: "return", values: partsOf(node).slice(0, 1).map(readExpression), line },
    ],
    continue_statement: readContinue,
    raise_statement: (node, line) => [{ kind: "throw", value: readExpression(partsOf(node)[0]), line }],
    if_statement: readBranch,
    for_statement: (node, line) => [
      {
        ...{ kind: "loop", into: readPattern(node.field("left")), line },
        over: readExpression(node.field("right")),
        body: readStatements(node.field("body")),
      },
    ],
    while_statement: (node, line) => [
      { kind: "do", value: readExpression(node.field("condition")), line },
      ...readStatements(node.field("body")),
    ],
    try_statement: readTry,
    with_statement: readWith,
    ...each("function_definition class_definition decorated_definition", readDefinition),
    match_statement: readMatch,
    ...each("import_statement import_from_statement", readImport),
    ...each("global_statement nonlocal_statement", (node: SyntaxNode, line: number) => [
      { kind: "outer", names: partsOf(node).map((part) => part.text()), line },
    ]),
    ...each("block module", (node: SyntaxNode) => partsOf(node).flatMap(readStatements)),
  },
  (node, line) => [
    { kind: "do", value: { kind: "other", parts: partsOf(node).map(readExpression), line }, line },
  ],
);
