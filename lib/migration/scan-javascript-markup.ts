// JSX: syntax tree → code.
import type { Entry, Expression } from "./scan-code.ts";
import { lineOf, partsOf, type SyntaxNode } from "./scan-syntax.ts";

type Read = (node: SyntaxNode | null | undefined) => Expression;

/** A name with a capital is a component; others are the browser's own. */
export function readMarkup(node: SyntaxNode, read: Read): Expression {
  const opening = node.kind() === "jsx_element" ? partsOf(node)[0]! : node;
  const [name, ...attributes] = partsOf(opening);
  const line = lineOf(node);
  const children = node === opening ? [] : partsOf(node).slice(1, -1).map(read);
  const entries = attributes.flatMap((attribute): Entry[] => {
    if (attribute.kind() === "jsx_expression")
      return [{ key: undefined, value: read(partsOf(partsOf(attribute)[0] ?? attribute)[0]) }];
    const [key, value] = partsOf(attribute);
    return key && value ? [{ key: key.text(), value: read(value) }] : [];
  });
  if (!name || /^[a-z][^.]*$/.test(name.text()))
    return { kind: "other", parts: [...entries.map(({ value }) => value), ...children], line };
  const held: Entry = { key: "children", value: { kind: "list", items: children, line } };
  const props: Expression = { kind: "object", entries: [...entries, held], type: undefined, line };
  return { kind: "markup", of: read(name), props, line };
}
