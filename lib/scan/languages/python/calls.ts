// Python: calls that are equivalent to syntax: getattr (member), itemgetter (function), dict (object).
import type { Argument, Expression } from "../../flow/code.ts";
import type { Frame, Invocation } from "../../flow/frame.ts";
import { enter } from "../../flow/values/access.ts";
import type { Value } from "../../flow/values/atoms.ts";
import { atCaller } from "../../flow/values/origin.ts";
import { dereference, elementsOf, join, newObject, ofKind } from "../../flow/values/values.ts";

type Call = Extract<Expression, { kind: "call" }>;

const textOf = (expression: Expression | undefined): string | undefined =>
  expression?.kind === "text" && expression.parts.length === 1 && typeof expression.parts[0] === "string"
    ? expression.parts[0]
    : undefined;

/** `it[key]`, for each key where there is a list of them. */
function readKey(key: Expression, it: Expression): Expression {
  const { line } = key;
  const name: Expression = { kind: "name", name: "key", line };
  if (key.kind !== "spread") return { kind: "element", of: it, index: key, line };
  const into = { kind: "name" as const, name: "key", declares: true };
  const body = [{ kind: "loop" as const, into, over: key.of, body: [], line }];
  const value: Expression = { kind: "element", of: it, index: name, line };
  return { kind: "spread", of: { kind: "collect", body, value, line }, line };
}

/** `itemgetter("a", *others)` is `lambda it: (it["a"], …)`; attrgetter goes deeper at dots. */
function readGetter({ args, line }: Call, isPath: boolean): Expression | undefined {
  if (args.length === 0) return undefined;
  const it: Expression = { kind: "name", name: "it", line };
  const items = args.map(({ value: key }) => {
    const text = textOf(key);
    return text === undefined
      ? readKey(key, it)
      : (isPath ? text.split(".") : [text]).reduce<Expression>(
          (of, part) => ({ kind: "member", of, key: part, line }),
          it,
        );
  });
  const isOne = items.length === 1 && items[0]?.kind !== "spread";
  const value: Expression = isOne ? items[0]! : { kind: "list", items, line };
  const code = {
    name: undefined,
    params: [
      {
        into: { kind: "name" as const, name: "it", declares: true },
        name: "it",
        type: undefined,
        instead: undefined,
        isField: false,
      },
    ],
    body: [{ kind: "return" as const, values: [value], line }],
    isGenerator: false,
    line,
  };
  return { kind: "function", code, line };
}

function readGetattr([of, key, instead]: readonly Argument[], line: number): Expression | undefined {
  const name = textOf(key?.value);
  if (!of || !key) return undefined;
  const member: Expression =
    name === undefined
      ? { kind: "element", of: of.value, index: key.value, line }
      : { kind: "member", of: of.value, key: name, line };
  return instead ? { kind: "fallback", of: member, instead: instead.value, line } : member;
}

const readDict = (args: readonly Argument[], line: number): Expression | undefined =>
  args.length > 0 && args.every(({ name }) => name !== undefined)
    ? {
        kind: "object",
        entries: args.map(({ name, value }) => ({ key: name === "**" ? undefined : name, value })),
        type: undefined,
        line,
      }
    : undefined;

export function lowerCall(call: Call): Expression {
  const { callee, args, line } = call;
  const name = callee.kind === "name" ? callee.name : callee.kind === "member" ? callee.key : "";
  if (name === "itemgetter" || name === "attrgetter") return readGetter(call, name === "attrgetter") ?? call;
  if (callee.kind !== "name") return call;
  if (name === "getattr") return readGetattr(args, line) ?? call;
  if (name === "setattr") return call;
  if (name === "dict" || name === "SimpleNamespace") return readDict(args, line) ?? call;
  return call;
}

// Names of fields in lists: rows of a writer, keys of a dictionary, getters that are mapped.
/** Where a writer keeps its columns; no source code can have such a key. */
const columnsKey = "<columns>";

/** Each name is read where it was chosen. */
const readNames = (record: Value, names: Value, frame: Frame, line: number): Value =>
  join(
    ...ofKind(names, "text").map(({ text, via }) => {
      const at = atCaller(frame, line, via);
      return enter(record, text, at.frame, at.line);
    }),
  );

/** `DictWriter(file, columns)`, and the rows it is given later. */
function writeRows({ name, receiver = [], args, line }: Invocation, frame: Frame): Value | undefined {
  const [first = [], second = []] = args.positional;
  if (name === "DictWriter") {
    const writer = newObject();
    writer.fields.set(columnsKey, { value: elementsOf(args.named.get("fieldnames") ?? second) });
    return [writer];
  }
  if (!/^writerows?$/.test(name)) return undefined;
  const records = name === "writerow" ? dereference(first) : elementsOf(first);
  for (const { fields } of ofKind(dereference(receiver), "object"))
    readNames(records, fields.get(columnsKey)?.value ?? [], frame, line);
  return undefined;
}

export const readByNames = (
  invocation: Invocation,
  _source: readonly Expression[],
  frame: Frame,
): Value | undefined => writeRows(invocation, frame);
