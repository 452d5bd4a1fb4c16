// Python, patterns: assignment targets, parameters and the cases of a match.
import type { Expression, Parameter, Pattern } from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";

export type Read = (node: SyntaxNode | null | undefined) => Expression;

export function patternOf(node: SyntaxNode | null | undefined, read: Read, type?: string): Pattern {
  switch (node?.kind()) {
    case undefined:
      return { kind: "nothing" };
    case "identifier":
      return { kind: "name", name: node!.text(), declares: true, type };
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "tuple":
    case "list":
      return {
        kind: "items",
        items: partsOf(node!).map((child) =>
          patternOf(child.kind() === "list_splat_pattern" ? partsOf(child)[0] : child, read),
        ),
        rest: partsOf(node!).at(-1)?.kind() === "list_splat_pattern",
      };
    case "as_pattern_target":
      return patternOf(partsOf(node!)[0], read);
    default:
      return { kind: "place", place: read(node) };
  }
}

const keyOf = (node: SyntaxNode | undefined): string => node?.text().replace(/^["']|["']$/g, "") ?? "";

/** `{"passport": {"score": score}}`, `Passport(score=score)`, `[first, *others]`: what a case takes apart. */
export function casePatternOf(node: SyntaxNode | undefined): Pattern[] {
  const parts = node ? partsOf(node) : [];
  switch (node?.kind()) {
    case "case_pattern":
    case "union_pattern":
      return parts.flatMap(casePatternOf);
    case "as_pattern": {
      const [inner, name] = parts;
      return [...casePatternOf(inner), { kind: "name", name: name?.text() ?? "", declares: true }];
    }
    case "dotted_name":
      return parts.length === 1 ? [{ kind: "name", name: node.text(), declares: true }] : [];
    case "dict_pattern": {
      const fields = parts.flatMap((part, index) =>
        part.kind() === "string"
          ? casePatternOf(parts[index + 1])
              .concat({ kind: "nothing" })
              .map((into) => ({ key: keyOf(part), into, instead: undefined, line: lineOf(part) }))
          : [],
      );
      return [{ kind: "fields", fields, rest: undefined }];
    }
    case "class_pattern": {
      const fields = parts.slice(1).flatMap((part) => {
        const [name, value] = partsOf(partsOf(part)[0] ?? part);
        return casePatternOf(value)
          .concat({ kind: "nothing" })
          .map((into) => ({ key: name?.text() ?? "", into, instead: undefined, line: lineOf(part) }));
      });
      return [{ kind: "fields", fields, rest: undefined }];
    }
    case "list_pattern":
    case "tuple_pattern": {
      const isRest = (part: SyntaxNode | undefined) => partsOf(part ?? node)[0]?.kind() === "splat_pattern";
      return [
        { kind: "items", items: parts.map((part) => casePatternOf(part)[0]), rest: isRest(parts.at(-1)) },
      ];
    }
    case "splat_pattern":
      return [{ kind: "name", name: parts[0]?.text() ?? "", declares: true }];
    default:
      return [];
  }
}

export const readType = (node: SyntaxNode | null | undefined): string | undefined =>
  node?.text().replace(/^["']|["']$/g, "");

/** `Annotated[Client, Depends(get_client)]`: as if it were the default. */
function dependsOn(provider: string, line: number): Expression {
  const name = (text: string): Expression => ({ kind: "name", name: text, line });
  return { kind: "call", callee: name("Depends"), args: [{ name: undefined, value: name(provider) }], line };
}

export function parametersOf(node: SyntaxNode | null, read: Read): Parameter[] {
  if (!node) return [];
  return partsOf(node)
    .filter((child) => !["keyword_separator", "positional_separator"].includes(String(child.kind())))
    .map((child): Parameter => {
      const holder = child.kind() === "typed_parameter" ? partsOf(child)[0]! : child;
      const isRest = holder.kind() === "list_splat_pattern";
      const isNamedRest = holder.kind() === "dictionary_splat_pattern";
      const isPlain = holder.kind() === "identifier";
      const name = isPlain ? holder : (holder.field("name") ?? partsOf(holder)[0]);
      const value = child.field("value");
      const [, provider] = /\bDepends\((\w+)/.exec(child.field("type")?.text() ?? "") ?? [];
      return {
        into: patternOf(name, read),
        name: isRest || isNamedRest ? undefined : name?.text(),
        type: isRest || isNamedRest ? undefined : readType(child.field("type")),
        instead: value ? read(value) : provider ? dependsOn(provider, lineOf(child)) : undefined,
        isField: false,
        ...(isRest && { isRest }),
        ...(isNamedRest && { isNamedRest }),
      };
    });
}
