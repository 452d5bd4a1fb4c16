// Go, statements: syntax tree → code.
import type { DeclaredField, Expression, Statement } from "./scan-code.ts";
import { nothing } from "./scan-code.ts";
import { readBlocksWith, readExpression, readFunction, readPattern, readType, unquote } from "./scan-go.ts";
import { lineOf, partsOf, type SyntaxNode, triesAgain } from "./scan-syntax.ts";

/** The struct's own fields, and those of structs written inside it as types of their own. */
function readStruct(name: string, struct: SyntaxNode): Statement[] {
  const fields: DeclaredField[] = [];
  const inner: Statement[] = [];
  const list = partsOf(struct)[0];
  for (const field of list ? partsOf(list) : []) {
    const tag = field.field("tag")?.text();
    const key = /json:"([^",]*)/.exec(tag ?? "")?.[1];
    const type = field.field("type");
    for (const fieldName of field.fieldChildren("name").filter((child) => child.isNamed())) {
      fields.push({
        key: key || fieldName.text(),
        name: fieldName.text(),
        type: readType(type) ?? "",
        line: lineOf(field),
      });
    }
    inner.push(...readStructsIn(type));
  }
  return [{ kind: "type", name, fields, line: lineOf(struct) }, ...inner];
}

/** Struct types without a name, as in `var out struct { … }`. */
function readStructsIn(node: SyntaxNode | null | undefined): Statement[] {
  if (!node) return [];
  if (node.kind() === "struct_type") return readStruct("", node);
  return partsOf(node).flatMap(readStructsIn);
}

/** A variable without a value is empty and may be filled. */
function emptyValue(type: SyntaxNode | null, line: number): Expression {
  if (!type) return nothing(line);
  const kind = String(type.kind());
  if (kind === "slice_type" || kind === "array_type") return { kind: "list", items: [], line };
  return kind === "type_identifier" || kind === "struct_type"
    ? { kind: "object", entries: [], type: readType(type), line }
    : nothing(line);
}

function readVariables(node: SyntaxNode): Statement[] {
  const specs = partsOf(node).flatMap((child) =>
    child.kind() === "var_spec_list" ? partsOf(child) : [child],
  );
  return specs.flatMap((spec) => {
    const line = lineOf(spec);
    const names = spec.fieldChildren("name").filter((child) => child.kind() === "identifier");
    const type = spec.field("type");
    const value = spec.field("value");
    const values = value ? partsOf(value) : [];
    const binds = names.map(
      (name, index): Statement => ({
        kind: "bind",
        into: readPattern(name, true),
        value: values[index] ? readExpression(values[index]) : emptyValue(type, line),
        line,
      }),
    );
    if (values.length === 1 && names.length > 1) {
      const items = names.map((name) => readPattern(name, true));
      return [
        { kind: "bind", into: { kind: "items", items, rest: false }, value: readExpression(values[0]), line },
      ];
    }
    return [...readStructsIn(type), ...values.flatMap(readStructsIn), ...binds];
  });
}

function readAssignment(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const left = node.field("left");
  const right = node.field("right");
  const operator = node.field("operator")?.text() ?? ":=";
  const targets = left ? partsOf(left) : [];
  const values = right ? partsOf(right) : [];
  const declares = node.kind() === "short_var_declaration";
  const structs = values.flatMap(readStructsIn);
  if (/^[-+*/|]=$/.test(operator)) {
    const value: Expression = {
      kind: "operation",
      operator: operator[0]!,
      left: readExpression(targets[0]),
      right: readExpression(values[0]),
      line,
    };
    return [{ kind: "bind", into: readPattern(targets[0], false), value, line }];
  }
  if (values.length === targets.length) {
    return [
      ...structs,
      ...targets.map(
        (target, index): Statement => ({
          kind: "bind",
          into: readPattern(target, declares),
          value: readExpression(values[index]),
          line,
        }),
      ),
    ];
  }
  return [
    ...structs,
    { kind: "bind", into: readPattern(left, declares), value: readExpression(values[0]), line },
  ];
}

function readImports(node: SyntaxNode): Statement[] {
  const specs = partsOf(node).flatMap((child) =>
    child.kind() === "import_spec_list" ? partsOf(child) : [child],
  );
  return specs.map((spec) => {
    const path = spec.field("path");
    const from = path ? unquote(path) : "";
    const local =
      spec.field("name")?.text() ??
      from
        .replace(/\/v\d+$/, "")
        .split("/")
        .at(-1)!;
    return { kind: "import", from, names: [{ imported: "*", local }], line: lineOf(spec) };
  });
}

function readBranch(node: SyntaxNode): Statement[] {
  const first = node.field("initializer");
  const no = node.field("alternative");
  return [
    ...readStatements(first),
    {
      kind: "branch",
      test: readExpression(node.field("condition")),
      yes: readStatements(node.field("consequence")),
      no: readStatements(no),
      line: lineOf(node),
    },
  ];
}

function readFor(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const body = readStatements(node.field("body"));
  const clause = partsOf(node).find((child) => /_clause$/.test(String(child.kind())));
  if (clause?.kind() === "range_clause") {
    const left = clause.field("left");
    const [, item] = left ? partsOf(left) : [];
    return [
      {
        kind: "loop",
        into: readPattern(item, true),
        over: readExpression(clause.field("right")),
        body,
        line,
      },
    ];
  }
  const test =
    clause?.field("condition") ?? partsOf(node).find((child) => /expression$/.test(String(child.kind())));
  return [
    ...readStatements(clause?.field("initializer")),
    { kind: "do", value: readExpression(test), line },
    ...body,
  ];
}

function readStatement(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  switch (node.kind()) {
    case "import_declaration":
      return readImports(node);
    case "const_declaration":
    case "var_declaration":
      return readVariables(node);
    case "short_var_declaration":
    case "assignment_statement":
      return readAssignment(node);
    case "type_declaration":
      return partsOf(node).flatMap((spec) => {
        const type = spec.field("type");
        return type?.kind() === "struct_type" ? readStruct(spec.field("name")?.text() ?? "", type) : [];
      });
    case "function_declaration":
    case "method_declaration":
      return [{ kind: "function", code: readFunction(node), line }];
    case "if_statement":
      return readBranch(node);
    case "for_statement":
      return readFor(node);
    case "continue_statement":
      return triesAgain(node) ? [{ kind: "throw", value: undefined, line }] : [];
    case "return_statement": {
      const [list] = partsOf(node);
      return [{ kind: "return", values: list ? partsOf(list).map(readExpression) : [], line }];
    }
    case "expression_statement":
    case "go_statement":
    case "defer_statement":
    case "send_statement":
      return [{ kind: "do", value: { kind: "other", parts: partsOf(node).map(readExpression), line }, line }];
    case "block":
    case "source_file":
    case "statement_list":
    case "expression_switch_statement":
    case "type_switch_statement":
    case "select_statement":
    case "expression_case":
    case "type_case":
    case "default_case":
    case "communication_case":
    case "labeled_statement":
      return partsOf(node).flatMap(readStatement);
    default:
      return [{ kind: "do", value: readExpression(node), line }];
  }
}

export function readStatements(node: SyntaxNode | null | undefined): Statement[] {
  return node ? readStatement(node) : [];
}

readBlocksWith(readStatements);
