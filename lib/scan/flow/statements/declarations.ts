// Hoists types, classes and functions before the first statement runs.
import { matchShape, trapOf } from "../../names/fields.ts";
import type { ClassStatement, DeclaredField, FunctionCode, Statement, TypeStatement } from "../code.ts";
import { tellHazard } from "../frame.ts";
import { embeddedTag } from "../values/access.ts";
import type { ClassAtom, Frame, Value } from "../values/atoms.ts";
import { typedValue } from "../values/types.ts";
import { findCell, join, newClass, newData, ofKind, remember } from "../values/values.ts";
import { declaringScope } from "./binding.ts";

const classes = new WeakMap<object, ClassAtom>();

/** A declared type that calls V1's texts numbers, or builds on ids that are numbers. */
function checkDeclared(
  shape: NonNullable<ClassAtom["shape"]>,
  fields: readonly DeclaredField[],
  name: string,
  frame: Frame,
): void {
  for (const { key, type, line } of fields) {
    const child = shape.children.get(key);
    const rule = child && numberType.test(type) ? trapOf(child) : undefined;
    if (rule) tellHazard({ ...frame, inside: name || frame.inside }, line, rule, [newData(child!, "type")]);
  }
}

const numberType = /^(number|u?int(8|16|32|64)?|float(32|64)?|bigint)\b/;

function declareType(statement: TypeStatement, frame: Frame): void {
  const { name, fields, same, isInterface, isChecked = false } = statement;
  const atom = remember(classes, statement, () => ({
    ...newClass(name, fields, frame),
    ...{ isChecked, shape: matchShape(fields), same, isInterface },
  }));
  atom.instance.type = atom;
  for (const field of fields) {
    for (const tags of [frame.module.tags, frame.module.allTags]) {
      const key = field.isEmbedded ? embeddedTag : field.key;
      tags.set(field.name, (tags.get(field.name) ?? new Set()).add(key));
    }
  }
  // A type that is checked: only if an answer was decoded into it; by itself it may be anybody's.
  if (atom.shape && (atom.learned?.size || !isChecked)) checkDeclared(atom.shape, fields, name, frame);
  if (name) declaringScope(frame).names.set(name, { value: [atom] });
}

function declareMethod(code: FunctionCode, frame: Frame): void {
  const { type } = code.receiver!;
  const [owner] = ofKind(declaringScope(frame).names.get(type)?.value ?? [], "class");
  if (!owner) return;
  const received: Value = owner.shape
    ? [owner.instance, newData(owner.shape, "type", owner.guess)]
    : [owner.instance, ...(owner.same?.startsWith("[]") ? typedValue(owner.same, frame) : [])];
  const method = frame.flow.makeFunction(code, frame, received, `${type}.${code.name}`);
  const name = code.name ?? "";
  owner.instance.fields.set(name, { value: [method] });
  for (const methods of [frame.module.methods, frame.module.allMethods]) {
    const others = (methods.get(name) ?? []).filter((other) => other.code !== code);
    methods.set(name, [...others, method]);
  }
}

function declareClass(statement: ClassStatement, frame: Frame): void {
  const shape = statement.isHandMade ? undefined : matchShape(statement.declared);
  const atom = remember(classes, statement, () => ({
    ...newClass(statement.name, statement.declared, frame),
    isChecked: !statement.bases.some((base) => /TypedDict|Protocol$/.test(base)),
    shape,
  }));
  for (const { name, key } of statement.declared) {
    const { allTags } = frame.module;
    if (name !== key) allTags.set(name, (allTags.get(name) ?? new Set()).add(key));
  }
  const bases = statement.bases.map((base) => findCell(frame.scope, base)?.value ?? []);
  atom.instance.beneath = join(...bases.map((base) => ofKind(base, "class").map(({ instance }) => instance)));
  for (const code of statement.methods) {
    const self = code.isOfClass ? atom : atom.instance;
    const method = frame.flow.makeFunction(code, frame, [self], `${statement.name}.${code.name}`);
    atom.instance.fields.set(code.name ?? "", { value: [method] });
  }
  if (!shape) atom.instance.type = atom;
  declaringScope(frame).names.set(statement.name, { value: [atom] });
}

/** Types first: a method may be written before its type, also in another file of the package. */
export function hoist(blocks: readonly { statements: readonly Statement[]; frame: Frame }[]): void {
  for (const { statements, frame } of blocks) {
    for (const statement of statements) {
      if (statement.kind === "type") declareType(statement, frame);
      else if (statement.kind === "class") declareClass(statement, frame);
    }
  }
  for (const { statements, frame } of blocks)
    for (const statement of statements)
      if (statement.kind === "function") declareFunction(statement.code, frame);
}

function declareFunction(code: FunctionCode, frame: Frame): void {
  if (code.receiver) declareMethod(code, frame);
  else declaringScope(frame).names.set(code.name ?? "", { value: [frame.flow.makeFunction(code, frame)] });
}
