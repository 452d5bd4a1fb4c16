// Go, types: syntax tree → names of types and what they declare.
import { type DeclaredField, type Expression, nothing, type Statement, unnamed } from "../../flow/code.ts";
import type { ClassAtom, DataAtom, FunctionAtom, Module, Value } from "../../flow/values/atoms.ts";
import { bindTo, fitsType } from "../../flow/values/types.ts";
import { dataOf, dereference, ofKind } from "../../flow/values/values.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";

/** A struct without a name gets one of its place, which no other file of the package shares. */
function nameStruct(node: SyntaxNode): string {
  const { line, column } = node.range().start;
  return `${unnamed}${line}_${column}_${node.getRoot().root().range().end.index}`;
}

/** `*pkg.Type[T]` → `pkg.Type`; lists, maps and channels of it are `[]pkg.Type`. */
export function readType(node: SyntaxNode | null | undefined): string | undefined {
  if (!node) return undefined;
  switch (node.kind()) {
    case "slice_type":
    case "array_type":
      return `[]${readType(node.field("element")) ?? ""}`;
    case "map_type":
    case "channel_type":
      return `[]${readType(node.field("value")) ?? ""}`;
    case "struct_type":
      return nameStruct(node);
    case "function_type":
    case "interface_type":
      return "";
    case "generic_type":
      return readType(node.field("type"));
    case "pointer_type":
    case "type_elem":
      return readType(partsOf(node)[0]);
    case "qualified_type":
      return node.text();
    default:
      return /^[A-Za-z_]\w*/.exec(node.text())?.[0] ?? "";
  }
}

function readStruct(name: string, struct: SyntaxNode): Statement {
  const fields: DeclaredField[] = [];
  const list = partsOf(struct)[0];
  for (const field of list ? partsOf(list) : []) {
    const tag = field.field("tag")?.text();
    const key = /\b(?:json|mapstructure):"([^",]*)/.exec(tag ?? "")?.[1];
    const type = readType(field.field("type")) ?? "";
    const line = lineOf(field);
    const names = field.fieldChildren("name").filter((child) => child.isNamed());
    for (const fieldName of names) {
      fields.push({ key: key || fieldName.text(), name: fieldName.text(), type, line });
    }
    if (names.length === 0) {
      const own = type.slice(type.lastIndexOf(".") + 1);
      fields.push({ key: key || own, name: own, type, line, isEmbedded: !key });
    }
  }
  return { kind: "type", name, fields, isChecked: true, line: lineOf(struct) };
}

/** The struct types of a file that have no name, as in `var out struct { … }`. */
export const readUnnamedStructs = (file: SyntaxNode): Statement[] =>
  file
    .findAll({ rule: { kind: "struct_type" } })
    .filter((struct) => struct.parent()?.kind() !== "type_spec")
    .map((struct) => readStruct(nameStruct(struct), struct));

export function readTypeSpec(spec: SyntaxNode): Statement[] {
  const name = spec.field("name")?.text() ?? "";
  const type = spec.field("type");
  if (type?.kind() === "struct_type") return [readStruct(name, type)];
  const line = lineOf(spec);
  if (type?.kind() === "interface_type")
    return [{ kind: "type", name, fields: [], isInterface: true, isChecked: true, line }];
  const same = readType(type) ?? "";
  return [{ kind: "type", name, fields: [], same, isChecked: true, line }];
}

/** Nothing can be put into these; what they are is not known. */
const plainTypes = /^(string|bool|byte|rune|error|any|u?int(8|16|32|64|ptr)?|float(32|64)|complex(64|128))$/;

/** A variable without a value is empty and may be filled. */
export function emptyValue(type: SyntaxNode | null, line: number): Expression {
  if (!type) return nothing(line);
  const kind = String(type.kind());
  if (/^(slice|array|map|channel)_type$/.test(kind)) {
    return { kind: "list", items: [], type: readType(type), isChannel: kind === "channel_type", line };
  }
  if (plainTypes.test(type.text())) return nothing(line);
  return /^(type_identifier|struct_type|qualified_type|generic_type|pointer_type)$/.test(kind)
    ? { kind: "object", entries: [], type: readType(type), line }
    : nothing(line);
}

const ownerOf = ({ self }: FunctionAtom): ClassAtom | undefined => ofKind(self, "object")[0]?.type;

/** More than a few types with one method's name are not the same thing. */
const maxImplementers = 6;

export function findMethods(key: string, receiver: Value, module: Module): Value {
  const near = module.methods.get(key) ?? [];
  const all = module.allMethods.get(key) ?? [];
  const held = dereference(receiver);
  const fitting = (atom: DataAtom) => all.filter((method) => fitsType(ownerOf(method), atom.node));
  const data = dataOf(held).flatMap((atom) => fitting(atom).map((method) => bindTo(method, atom)));
  if (data.length > 0 || !held.every(({ kind }) => kind === "object")) return data;
  if (ofKind(held, "object").some(({ type }) => type?.isInterface) && all.length <= maxImplementers)
    return all;
  const isTyped = ofKind(held, "object").some(({ type }) => type !== undefined);
  return near.length === 1 && !isTyped ? near : [];
}
