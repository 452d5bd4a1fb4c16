// What the readers of all languages share: tables from the kind of a syntax node to the common form of the code.
import { type Expression, nothing, type Statement } from "../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode, triesAgain } from "./syntax.ts";

export type Node = SyntaxNode | null | undefined;
export type Read = (node: Node) => Expression;
export type ReadBlock = (node: Node) => Statement[];
type ReadOne = (node: SyntaxNode, line: number) => Expression;
type ReadStatement = (node: SyntaxNode, line: number) => Statement[];

/** A node of a kind that is not in the table is read for its parts. */
export function createReader(table: Readonly<Record<string, ReadOne>>): Read {
  const read: Read = (node) => {
    if (!node) return nothing(0);
    const readOne = table[String(node.kind())];
    const line = lineOf(node);
    return readOne ? readOne(node, line) : { kind: "other", parts: partsOf(node).map(read), line };
  };
  return read;
}

export const createBlockReader =
  (table: Readonly<Record<string, ReadStatement>>, otherwise: ReadStatement): ReadBlock =>
  (node) =>
    node ? (table[String(node.kind())] ?? otherwise)(node, lineOf(node)) : [];

/** The same reader for several kinds of nodes. */
export const each = <R>(kinds: string, reader: R): Record<string, R> =>
  Object.fromEntries(kinds.split(" ").map((kind) => [kind, reader]));

/** Without quotes, and without the sign of a private name. */
export const keyText = (node: Node): string => node?.text().replace(/^["'`#]|["'`]$/g, "") ?? "";

export const nameAt = (name: string, line: number): Expression => ({ kind: "name", name, line });
export const constantAt = (value: string, line: number): Expression => ({ kind: "constant", value, line });

/** A key is read on the line where it is written. */
export const memberOf = (of: Expression, key: SyntaxNode | null, line: number): Expression => ({
  ...{ kind: "member", of, key: keyText(key) },
  line: key ? lineOf(key) : line,
});

export type Call = Extract<Expression, { kind: "call" }>;

export const callOf = (callee: Expression, values: readonly Expression[], line: number): Call => ({
  ...{ kind: "call", callee, line },
  args: values.map((value) => ({ value })),
});

export const operationOf = (
  operator: string,
  left: Expression,
  right: Expression,
  line = right.line,
): Expression => ({ kind: "operation", operator, left, right, line });

export const readName: ReadOne = (node, line) => nameAt(node.text(), line);
export const readConstant: ReadOne = (node, line) => constantAt(node.text(), line);
export const readNull: ReadOne = (_, line) => constantAt("null", line);

/** `continue` in a loop that tries again does not go on without an answer. */
export const readContinue: ReadStatement = (node, line) =>
  triesAgain(node) ? [{ kind: "throw", line }] : [];
