// JavaScript and TypeScript, destructuring: syntax tree → pattern.
import type { Expression, Pattern } from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";

type Read = (node: SyntaxNode | null | undefined) => Expression;

export const nameOfKey = (node: SyntaxNode | null): string =>
  node?.text().replace(/^["'`#]|["'`]$/g, "") ?? "";

export function patternOf(
  node: SyntaxNode | null | undefined,
  declares: boolean,
  read: Read,
  type?: string,
): Pattern {
  switch (node?.kind()) {
    case undefined:
      return { kind: "nothing" };
    case "identifier":
      return { kind: "name", name: node!.text(), declares, type };
    case "array_pattern": {
      const items: (Pattern | undefined)[] = [];
      let rest = false;
      let expected = true;
      for (const child of node!.children()) {
        if (child.text() === "," && !child.isNamed()) {
          if (expected) items.push(undefined);
          expected = true;
        } else if (child.isNamed()) {
          rest = child.kind() === "rest_pattern";
          items.push(patternOf(rest ? partsOf(child)[0] : child, declares, read));
          expected = false;
        }
      }
      return { kind: "items", items, rest };
    }
    case "assignment_pattern":
      return patternOf(node!.field("left"), declares, read);
    case "object_pattern":
      return fieldsOf(node!, declares, read);
    default:
      return { kind: "place", place: read(node) };
  }
}

function fieldsOf(node: SyntaxNode, declares: boolean, read: Read): Pattern {
  const fields: { key: string; into: Pattern; instead: Expression | undefined; line: number }[] = [];
  let rest: Pattern | undefined;
  for (const child of partsOf(node)) {
    const line = lineOf(child);
    if (child.kind() === "rest_pattern") rest = patternOf(partsOf(child)[0], declares, read);
    else if (child.kind() === "pair_pattern") {
      const value = child.field("value");
      const instead = value?.kind() === "assignment_pattern" ? read(value.field("right")) : undefined;
      fields.push({
        key: nameOfKey(child.field("key")),
        into: patternOf(value, declares, read),
        instead,
        line,
      });
    } else {
      const left = child.kind() === "object_assignment_pattern" ? child.field("left") : child;
      const name = left?.text() ?? "";
      const instead = left === child ? undefined : read(child.field("right"));
      fields.push({ key: name, into: { kind: "name", name, declares }, instead, line });
    }
  }
  return { kind: "fields", fields, rest };
}
