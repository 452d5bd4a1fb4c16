// Types, classes and functions, which are known before the first statement runs.
import { isIntegerId, isStringNumber, matchShape } from "./consumer-fields.ts";
import { declaringScope } from "./scan-binding.ts";
import type { ClassStatement, DeclaredField, FunctionCode, Statement } from "./scan-code.ts";
import { type Flow, type Frame, siteOf } from "./scan-frame.ts";
import { type ClassAtom, findCell, join, newObject, ofKind } from "./scan-values.ts";

const classes = new WeakMap<object, ClassAtom>();

/** A declared type that calls V1's texts numbers, or builds on ids that are numbers. */
function checkDeclared(
  shape: NonNullable<ClassAtom["shape"]>,
  fields: readonly DeclaredField[],
  name: string,
  frame: Frame,
  flow: Flow,
): void {
  for (const { key, type, line } of fields) {
    const child = shape.children.get(key);
    if (!child || !/^(number|u?int(8|16|32|64)?|float(32|64)?|bigint)\b/.test(type)) continue;
    const rule = isStringNumber(child) ? "string-number" : isIntegerId(child) ? "integer-id" : undefined;
    const at = { ...siteOf(frame, line), inside: name || frame.inside };
    if (rule)
      flow.tell({ kind: "hazard", ...at, endpoint: child.endpoint, rule, isSure: true, basis: "type" });
  }
}

function declareType(
  statement: { name: string; fields: readonly DeclaredField[] },
  frame: Frame,
  flow: Flow,
): ClassAtom {
  const known = classes.get(statement);
  const { name, fields } = statement;
  const shape = known ? known.shape : matchShape(fields);
  const scope = declaringScope(frame);
  // Go: a method may have been seen before its type.
  const earlier = ofKind(scope.names.get(name)?.value ?? [], "class")[0];
  const atom = known ?? {
    kind: "class",
    name,
    instance: earlier?.instance ?? newObject(),
    shape,
    declared: [],
  };
  classes.set(statement, atom);
  for (const field of fields) {
    for (const tags of [frame.module.tags, frame.module.allTags]) {
      tags.set(field.name, (tags.get(field.name) ?? new Set()).add(field.key));
    }
  }
  if (shape && frame.module.language !== "python") checkDeclared(shape, fields, name, frame, flow);
  if (name) scope.names.set(name, { value: [atom] });
  return atom;
}

function declareMethod(code: FunctionCode, frame: Frame, flow: Flow): void {
  const { type } = code.receiver!;
  const scope = declaringScope(frame);
  let [owner] = ofKind(scope.names.get(type)?.value ?? [], "class");
  if (!owner) {
    owner = { kind: "class", name: type, instance: newObject(), shape: undefined, declared: [] };
    scope.names.set(type, { value: [owner] });
  }
  const method = flow.makeFunction(code, frame, [owner.instance], `${type}.${code.name}`);
  const name = code.name ?? "";
  owner.instance.fields.set(name, { value: [method] });
  const { methods } = frame.module;
  const others = (methods.get(name) ?? []).filter((other) => other.code !== code);
  methods.set(name, [...others, method]);
}

function declareClass(statement: ClassStatement, frame: Frame, flow: Flow): void {
  const shape = matchShape(statement.declared);
  const atom: ClassAtom = classes.get(statement) ?? {
    kind: "class",
    name: statement.name,
    instance: newObject(),
    shape,
    declared: statement.declared,
  };
  classes.set(statement, atom);
  const bases = statement.bases.map((base) => findCell(frame.scope, base)?.value ?? []);
  atom.instance.beneath = join(...bases.map((base) => ofKind(base, "class").map(({ instance }) => instance)));
  for (const code of statement.methods) {
    const method = flow.makeFunction(code, frame, [atom.instance], `${statement.name}.${code.name}`);
    atom.instance.fields.set(code.name ?? "", { value: [method] });
  }
  declaringScope(frame).names.set(statement.name, { value: [atom] });
}

export function hoist(statements: readonly Statement[], frame: Frame, flow: Flow): void {
  for (const statement of statements) {
    if (statement.kind === "type") declareType(statement, frame, flow);
    else if (statement.kind === "class") declareClass(statement, frame, flow);
    else if (statement.kind === "function") {
      if (statement.code.receiver) declareMethod(statement.code, frame, flow);
      else
        declaringScope(frame).names.set(statement.code.name ?? "", {
          value: [flow.makeFunction(statement.code, frame)],
        });
    }
  }
}
