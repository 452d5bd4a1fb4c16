// JavaScript and TypeScript, classes and types: syntax tree → code.
import type { ClassStatement, DeclaredField, Expression, FunctionCode, Statement } from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { readExpression, readFunction, readPattern, readType } from "./expressions.ts";
import { nameOfKey } from "./patterns.ts";

export const withName = (value: SyntaxNode | null, name: string): Expression => {
  const isFunction = ["arrow_function", "function_expression", "generator_function"].includes(
    String(value?.kind()),
  );
  return isFunction
    ? { kind: "function", code: readFunction(value!, name), line: lineOf(value!) }
    : readExpression(value);
};

export function readDeclaredFields(node: SyntaxNode | null): DeclaredField[] {
  if (!node) return [];
  return partsOf(node)
    .filter((child) => child.kind() === "property_signature")
    .map((child) => {
      const key = nameOfKey(child.field("name"));
      return { key, name: key, type: readType(child.field("type")) ?? "", line: lineOf(child) };
    });
}

export function readClass(node: SyntaxNode): ClassStatement {
  const methods: FunctionCode[] = [];
  const fields: { name: string; value: Expression }[] = [];
  const declared: DeclaredField[] = [];
  const body = node.field("body");
  for (const child of body ? partsOf(body) : []) {
    const name = nameOfKey(child.field("name") ?? child.field("property"));
    if (child.kind() === "method_definition") methods.push(readFunction(child));
    else if (/field_definition$/.test(String(child.kind()))) {
      const value = child.field("value");
      const type = readType(child.field("type"));
      if (value) fields.push({ name, value: withName(value, name) });
      else if (type) declared.push({ key: name, name, type, line: lineOf(child) });
    }
  }
  const heritage = partsOf(node).find((child) => child.kind() === "class_heritage");
  const [extended = "", implemented = ""] = (heritage?.text() ?? "").split(/\bimplements\b/);
  const base = /([\w$]+)/.exec(extended.replace(/^extends\s+/, ""))?.[1];
  const isStored =
    /@(Entity|Column|PrimaryColumn|PrimaryGeneratedColumn|Prop|Field|ObjectType|Property|Table)\b/;
  return {
    kind: "class",
    name: nameOfKey(node.field("name")),
    bases: base ? [base] : [],
    methods,
    fields,
    declared,
    implemented: [...implemented.replace(/<[^>]*>/g, "").matchAll(/[\w$]+/g)].map(([name]) => name),
    // What has a constructor or is a database's row is filled by the team's own code.
    isHandMade: methods.some(({ name }) => name === "constructor") || isStored.test(body?.text() ?? ""),
    line: lineOf(node),
  };
}

/** `type Client = ReturnType<typeof createClient>`: another name, where no fields are listed. */
export const readAlias = (value: SyntaxNode | null): { same?: string } =>
  value && ["generic_type", "type_query", "type_identifier"].includes(String(value.kind()))
    ? { same: value.text() }
    : {};

export function readEnum(node: SyntaxNode): Statement {
  const line = lineOf(node);
  const body = node.field("body");
  const entries = (body ? partsOf(body) : []).map((member) => ({
    key: nameOfKey(member.field("name")),
    value: readExpression(member.field("value")),
  }));
  return {
    kind: "bind",
    into: readPattern(node.field("name"), true),
    value: { kind: "object", entries, type: undefined, line },
    line,
  };
}
