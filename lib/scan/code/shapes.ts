// Declared types: interfaces, structs, models and schemas. One with V1's keys describes a part of V1's response.
import { matchShape } from "../names/fields.ts";
import {
  access,
  firstOf,
  type Place,
  type Shape,
  type ShapeMember,
  type SourceFile,
  type Value,
} from "./program.ts";
import {
  argumentsOf,
  calleeName,
  calleeOf,
  callKinds,
  classKinds,
  entryOf,
  keywordOf,
  literalOf,
  memberOf,
  methodOf,
  type SyntaxNode,
  wordSet,
} from "./syntax.ts";

const listTypes = wordSet("Array ReadonlyArray List list Sequence Iterable Set set tuple Tuple");
const maxDepth = 6;

/** What a type that is written in the code says about its values. */
export function typed(file: SourceFile, type: SyntaxNode | undefined, depth = 0): Value | undefined {
  if (!type || depth > maxDepth) return undefined;
  const inner = (node: SyntaxNode | undefined) => typed(file, node, depth + 1);
  const first = () => {
    for (const child of type.children) {
      const found = inner(child);
      if (found) return found;
    }
    return undefined;
  };
  switch (type.kind) {
    case "type_identifier":
    case "identifier":
      return named(file, type.text);
    case "string":
      return named(file, literalOf(type) ?? "");
    case "nested_type_identifier":
    case "qualified_type":
    case "member_type":
    case "attribute": {
      const [module = "", name = ""] = type.text.split(".");
      return firstOf(file.placesOfMember(module, name), typeAt);
    }
    case "array_type":
    case "slice_type": {
      const item = inner(type.field("element") ?? type.children.at(-1));
      return item && { list: item };
    }
    case "generic_type": {
      const [head, args] = type.children;
      const parts = args?.children ?? [];
      const item = parts.map((part) => inner(part)).find((found) => found !== undefined);
      if (head && listTypes.has(head.text)) return item && { list: item };
      return item ?? inner(head);
    }
    case "lookup_type": {
      const [of, key] = type.children;
      const name = key?.children[0] && literalOf(key.children[0]);
      return name === undefined ? undefined : access(inner(of), name);
    }
    case "object_type":
    case "struct_type": {
      const shape = shapeOf(file, "", type);
      return shape && valueOfShape(shape);
    }
    case "predefined_type":
    case "literal_type":
    case "function_type":
    case "map_type":
      return undefined;
    default:
      return first();
  }
}

/** A constant under another name is no type. */
const typeAt = ({ file, path: [name, member] }: Place): Value | undefined =>
  member === undefined ? typeIn(file, name) : undefined;

const named = (file: SourceFile, name: string): Value | undefined =>
  typeIn(file, name) ?? firstOf(file.placesOfImport(name), typeAt);

/** A type that the file declares: its members, and a class's methods. */
function typeIn(file: SourceFile, name: string): Value | undefined {
  const node = file.types.get(name) ?? schemaNamed(file, name);
  if (!node || file.program.running.has(node)) return undefined;
  file.program.running.add(node);
  try {
    const body = node.field("value") ?? node.field("type");
    if (/^(type_alias_declaration|type_spec|type_alias)$/.test(node.kind) && body && !hasMembers(body))
      return typed(file, body);
    const shape = shapeNamed(file, name, node);
    const methods = classKinds.has(node.kind) ? methodsOf(file, node) : undefined;
    if (!shape && !methods) return undefined;
    return { ...(shape && valueOfShape(shape)), members: methods };
  } finally {
    file.program.running.delete(node);
  }
}

const hasMembers = ({ kind }: SyntaxNode) =>
  /^(object_type|struct_type|intersection_type|interface_body)$/.test(kind);

/** A constant that is a schema: `const Passport = z.object({ … })`. */
function schemaNamed(file: SourceFile, name: string): SyntaxNode | undefined {
  const [node] = file.declarations.get(name) ?? [];
  const value = node?.kind === "variable_declarator" ? node.field("value") : undefined;
  return value && objectOfSchema(value) ? value : undefined;
}

const objectSchemas = new Set(["object", "strictObject", "looseObject", "type", "Struct", "Object"]);

/** The object in `z.object({ … }).passthrough()`. */
function objectOfSchema(node: SyntaxNode): SyntaxNode | undefined {
  if (!callKinds.has(node.kind)) return undefined;
  const [first] = argumentsOf(node);
  if (objectSchemas.has(calleeName(node)) && first?.kind === "object") return first;
  const callee = calleeOf(node);
  const of = callee && memberOf(callee)?.of;
  return of && objectOfSchema(of);
}

function shapeNamed(file: SourceFile, name: string, node: SyntaxNode): Shape | undefined {
  if (!file.shapes.has(name)) file.shapes.set(name, shapeOf(file, name, node));
  return file.shapes.get(name);
}

const valueOfShape = (shape: Shape): Value => ({
  shape,
  node: shape.node,
  origin: shape.node && { by: "type", name: shape.name || "of a literal" },
});

function shapeOf(file: SourceFile, name: string, node: SyntaxNode): Shape | undefined {
  const members = new Map<string, ShapeMember>();
  for (const { own, member } of membersOf(file, node)) members.set(own, member);
  if (members.size === 0) return undefined;
  const keys = [...members.values()].map(({ key }) => key);
  return {
    name,
    file,
    members,
    node: matchShape(keys, file.program.asked),
    isDecoder: isDecoder(file, node),
  };
}

function isDecoder(file: SourceFile, node: SyntaxNode): boolean {
  if (callKinds.has(node.kind)) return true;
  if (file.language === "go") return /json:"/.test(node.text);
  return (
    /^(class_definition)$/.test(node.kind) &&
    /BaseModel|Struct\b/.test(node.field("superclasses")?.text ?? "")
  );
}

type Found = { own: string; member: ShapeMember };

function membersOf(file: SourceFile, node: SyntaxNode): Found[] {
  const schema = callKinds.has(node.kind) ? objectOfSchema(node) : undefined;
  if (schema)
    return schema.children.flatMap((pair): Found[] => {
      const entry = entryOf(pair);
      if (!entry) return [];
      const type = () => typeOfSchema(file, entry.value);
      return [{ own: entry.key, member: { key: entry.key, line: pair.line, at: pair, type } }];
    });
  const body = node.field("body") ?? node.field("value") ?? node.field("type") ?? node;
  const parts =
    body.kind === "struct_type"
      ? (body.children[0]?.children ?? [])
      : body.kind === "intersection_type"
        ? body.children.flatMap(({ children }) => children)
        : body.children;
  return parts.flatMap((part): Found[] => {
    const field = part.kind === "expression_statement" ? part.children[0] : part;
    if (
      !field ||
      !/^(property_signature|public_field_definition|field_declaration|assignment)$/.test(field.kind)
    )
      return [];
    const own = (field.field("name") ?? field.field("left") ?? field.field("property"))?.text.replace(
      /["']/g,
      "",
    );
    const typeNode = field.field("type");
    // In Python a member has a type; what has none is a constant of the class.
    if (!own || (field.kind === "assignment" && !typeNode)) return [];
    const key = keyOf(field) ?? own;
    return [{ own, member: { key, line: field.line, at: field, type: () => typed(file, typeNode) } }];
  });
}

/** The key of a member in JSON, where it is given: a tag of Go, an alias of pydantic. */
function keyOf(field: SyntaxNode): string | undefined {
  const [, tag] = /(?:json|mapstructure):"(\w+)/.exec(field.field("tag")?.text ?? "") ?? [];
  if (tag) return tag;
  const right = field.field("right");
  for (const argument of right && callKinds.has(right.kind) ? argumentsOf(right) : []) {
    const keyword = keywordOf(argument);
    if (keyword && /^(alias|validation_alias|name|data_key)$/.test(keyword.name))
      return literalOf(keyword.value);
  }
  return undefined;
}

/** `z.array(Passport)`, `Passport.nullable()`, `z.object({ … })`. */
function typeOfSchema(file: SourceFile, node: SyntaxNode): Value | undefined {
  if (/identifier$/.test(node.kind)) return named(file, node.text);
  if (!callKinds.has(node.kind)) return undefined;
  if (objectOfSchema(node)) {
    const shape = shapeOf(file, "", node);
    return shape && valueOfShape(shape);
  }
  const name = calleeName(node);
  const inside = argumentsOf(node)
    .map((argument) => typeOfSchema(file, argument))
    .find((found) => found !== undefined);
  if (/^(array|list|Array)$/.test(name)) return inside && { list: inside };
  const callee = calleeOf(node);
  const of = callee && memberOf(callee)?.of;
  const outer = of && typeOfSchema(file, of);
  return name === "array" && outer ? { list: outer } : (outer ?? inside);
}

/** The methods of a class, as an object. */
export function methodsOf(file: SourceFile, node: SyntaxNode): Map<string, Value> | undefined {
  const methods = new Map<string, Value>();
  for (const part of node.field("body")?.children ?? []) {
    const method = methodOf(part);
    if (method) methods.set(method.name, { fn: { file, node: method.fn } });
  }
  return methods.size > 0 ? methods : undefined;
}
