// Python, statements: syntax tree → code.
import type { ClassStatement, DeclaredField, Expression, FunctionCode, Statement } from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode, triesAgain } from "../syntax.ts";
import {
  type Decorated,
  declaredField,
  isHandMade,
  readAssignment,
  readDecorators,
  readImport,
} from "./bindings.ts";
import { readExpression, readParameters, readPattern } from "./expressions.ts";
import { casePatternOf } from "./patterns.ts";

/** What a function's body holds, without the functions inside it. */
const hasYield = (node: SyntaxNode): boolean =>
  partsOf(node).some(
    (child) =>
      child.kind() === "yield" ||
      (!["function_definition", "lambda", "class_definition"].includes(String(child.kind())) &&
        hasYield(child)),
  );

function readFunction(node: SyntaxNode, decorated: Decorated = {}): FunctionCode {
  const body = node.field("body");
  return {
    name: node.field("name")?.text(),
    params: readParameters(node.field("parameters")),
    body: readStatements(body),
    isGenerator: body?.text().includes("yield") ? hasYield(body) : false,
    line: lineOf(node),
    ...decorated,
  };
}

function readClass(node: SyntaxNode, decorated?: SyntaxNode): ClassStatement {
  const methods: FunctionCode[] = [];
  const fields: { name: string; value: Expression }[] = [];
  const declared: DeclaredField[] = [];
  const body = node.field("body");
  for (const child of body ? partsOf(body) : []) {
    const inner = child.kind() === "decorated_definition" ? child.field("definition")! : child;
    if (inner.kind() === "function_definition")
      methods.push(readFunction(inner, readDecorators(child, readExpression)));
    const assignment = child.kind() === "expression_statement" ? partsOf(child)[0] : undefined;
    if (assignment?.kind() !== "assignment") continue;
    const field = declaredField(assignment);
    if (field) declared.push(field);
    const value = assignment.field("right");
    if (value) fields.push({ name: assignment.field("left")?.text() ?? "", value: readExpression(value) });
  }
  const bases = node.field("superclasses");
  return {
    kind: "class",
    name: node.field("name")?.text() ?? "",
    bases: bases
      ? partsOf(bases)
          .filter((child) => /^(identifier|subscript|attribute)$/.test(String(child.kind())))
          .map((child) => child.text().replace(/\[.*$/s, ""))
      : [],
    methods,
    fields,
    declared,
    isHandMade: isHandMade(decorated?.text().split(/^\s*class\b/m)[0] ?? "", bases?.text() ?? ""),
    ...(decorated && { decorators: readDecorators(decorated, readExpression).decorators ?? [] }),
    line: lineOf(node),
  };
}

const unrelated =
  /^except\*?\s+\(?(?:[\w.]*\b(?:Stop(?:Async)?Iteration|QueueEmpty|Empty|FileNotFoundError|FileExistsError|KeyboardInterrupt|ImportError|ModuleNotFoundError|CancelledError|NameError)\b[,\s]*)+\)?(?:\s+as\s+\w+)?$/;

function readTry(node: SyntaxNode): Statement {
  const handlers = partsOf(node)
    .filter((child) => child.kind() === "except_clause")
    .map((child) => ({
      caught: undefined,
      body: readStatements(partsOf(child).find((part) => part.kind() === "block")),
      line: lineOf(child),
      ...(unrelated.test(child.text().split(/:\s*(?:#.*)?\n/)[0] ?? "") && { isUnrelated: true }),
    }));
  const rest = partsOf(node)
    .filter((child) => ["else_clause", "finally_clause"].includes(String(child.kind())))
    .flatMap((child) => readStatements(partsOf(child).at(-1)));
  return { kind: "try", body: readStatements(node.field("body")), handlers, after: rest, line: lineOf(node) };
}

function readWith(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const items = partsOf(node).find((child) => child.kind() === "with_clause");
  const opened = (items ? partsOf(items) : []).map((item): Statement => {
    const value = item.field("value") ?? partsOf(item)[0];
    if (value?.kind() !== "as_pattern") return { kind: "do", value: readExpression(value), line };
    const [source, target] = partsOf(value);
    const manager = readExpression(source);
    const callee: Expression = { kind: "member", of: manager, key: "__enter__", line: manager.line };
    return {
      kind: "bind",
      into: readPattern(target),
      value: { kind: "call", callee, args: [], line: manager.line },
      line,
    };
  });
  const body = readStatements(node.field("body"));
  // `with suppress(…):` is a handler that does nothing.
  const suppresses = /\bsuppress\(/.test(items?.text() ?? "");
  return suppresses
    ? [{ kind: "try", body, handlers: [{ caught: undefined, body: [], line }], after: [], line }]
    : [...opened, ...body];
}

function readBranch(node: SyntaxNode): Statement {
  const alternatives = node.fieldChildren("alternative");
  const no = alternatives.reduceRight<Statement[]>((rest, clause) => {
    if (clause.kind() === "else_clause") return readStatements(clause.field("body"));
    return [
      {
        kind: "branch",
        test: readExpression(clause.field("condition")),
        yes: readStatements(clause.field("consequence")),
        no: rest,
        line: lineOf(clause),
      },
    ];
  }, []);
  return {
    kind: "branch",
    test: readExpression(node.field("condition")),
    yes: readStatements(node.field("consequence")),
    no,
    line: lineOf(node),
  };
}

/** Every case as if it could happen. */
function readMatch(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const [subject] = node.fieldChildren("subject");
  const value = readExpression(subject);
  return partsOf(node.field("body") ?? node).flatMap((clause): Statement[] => {
    if (clause.kind() !== "case_clause") return [];
    const binds = partsOf(clause)
      .filter((part) => part.kind() === "case_pattern")
      .flatMap(casePatternOf)
      .map((into): Statement => ({ kind: "bind", into, value, line }));
    const guard = partsOf(clause).find((part) => part.kind() === "if_clause");
    const test = guard ? readExpression(partsOf(guard)[0]) : value;
    const yes = readStatements(clause.field("consequence"));
    return [...binds, { kind: "branch", test, yes, no: [], line: lineOf(clause) }];
  });
}

function readStatement(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  switch (node.kind()) {
    case "expression_statement": {
      const [inner] = partsOf(node);
      if (inner && /assignment$/.test(String(inner.kind()))) return readAssignment(inner);
      return partsOf(node).map((part) => ({ kind: "do", value: readExpression(part), line }));
    }
    case "return_statement": {
      const [value] = partsOf(node);
      return [{ kind: "return", values: value ? [readExpression(value)] : [], line }];
    }
    case "continue_statement":
      return triesAgain(node) ? [{ kind: "throw", value: undefined, line }] : [];
    case "raise_statement":
      return [{ kind: "throw", value: readExpression(partsOf(node)[0]), line }];
    case "if_statement":
      return [readBranch(node)];
    case "for_statement":
      return [
        {
          kind: "loop",
          into: readPattern(node.field("left")),
          over: readExpression(node.field("right")),
          body: readStatements(node.field("body")),
          line,
        },
      ];
    case "while_statement":
      return [
        { kind: "do", value: readExpression(node.field("condition")), line },
        ...readStatements(node.field("body")),
      ];
    case "try_statement":
      return [readTry(node)];
    case "with_statement":
      return readWith(node);
    case "function_definition":
      return [{ kind: "function", code: readFunction(node), line }];
    case "class_definition":
      return [readClass(node)];
    case "decorated_definition": {
      const inner = node.field("definition");
      if (inner?.kind() === "class_definition") return [readClass(inner, node)];
      return inner
        ? [{ kind: "function", code: readFunction(inner, readDecorators(node, readExpression)), line }]
        : [];
    }
    case "match_statement":
      return readMatch(node);
    case "import_statement":
    case "import_from_statement":
      return readImport(node);
    case "global_statement":
    case "nonlocal_statement":
      return [{ kind: "outer", names: partsOf(node).map((part) => part.text()), line }];
    case "block":
    case "module":
      return partsOf(node).flatMap(readStatement);
    default:
      return [{ kind: "do", value: { kind: "other", parts: partsOf(node).map(readExpression), line }, line }];
  }
}

export function readStatements(node: SyntaxNode | null | undefined): Statement[] {
  return node ? readStatement(node) : [];
}
