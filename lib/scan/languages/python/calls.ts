// Python: calls that are equivalent to syntax: itemgetter (function), dict (object); and rows of a writer.
import type { Expression } from "../../flow/code.ts";
import { enterNames } from "../../flow/values/access.ts";
import type { Frame, Invocation, Value } from "../../flow/values/atoms.ts";
import { elementsOf, newObject, ofKind } from "../../flow/values/values.ts";
import { type Call, nameAt } from "../reading.ts";

/** `it[key]`, for each key where there is a list of them. */
function readKey(key: Expression, it: Expression): Expression {
  const { line } = key;
  if (key.kind !== "spread") return { kind: "element", of: it, index: key, line };
  const into = { kind: "name" as const, name: "key", declares: true };
  const value: Expression = { kind: "element", of: it, index: nameAt("key", line), line };
  const body = [{ kind: "loop" as const, into, over: key.of, body: [], line }];
  return { kind: "spread", of: { kind: "collect", body, value, line }, line };
}

/** `itemgetter("a", *others)` is `lambda it: (it["a"], …)`. */
function readGetter({ args, line }: Call): Expression {
  const it = nameAt("it", line);
  const items = args.map(({ value: key }) => readKey(key, it));
  const isOne = items.length === 1 && items[0]?.kind !== "spread";
  const value: Expression = isOne ? items[0]! : { kind: "list", items, line };
  const params = [{ into: { kind: "name" as const, name: "it", declares: true }, name: "it" }];
  return {
    kind: "function",
    code: { params, body: [{ kind: "return", values: [value], line }], line },
    line,
  };
}

export function lowerCall(call: Call): Expression {
  const { callee, args, line } = call;
  const name = callee.kind === "name" ? callee.name : callee.kind === "member" ? callee.key : "";
  if (/^(item|attr)getter$/.test(name) && args.length > 0) return readGetter(call);
  if (callee.kind !== "name") return call;
  const isDict = /^(dict|SimpleNamespace)$/.test(name) && args.length > 0 && args.every((one) => one.name);
  if (!isDict) return call;
  const entries = args.map((one) =>
    one.name === "**" ? { value: one.value } : { key: one.name, value: one.value },
  );
  return { kind: "object", entries, line };
}

/** Where a writer keeps its columns; no source code can have such a key. */
const columnsKey = "<columns>";

/** `DictWriter(file, columns)`, and the rows it is given later. */
export function writeRows({ name, receiver = [], args, line }: Invocation, frame: Frame): Value | undefined {
  const [first = [], second = []] = args.positional;
  if (name === "DictWriter") {
    const writer = newObject();
    writer.fields.set(columnsKey, { value: elementsOf(args.named.get("fieldnames") ?? second) });
    return [writer];
  }
  if (!/^writerows?$/.test(name)) return undefined;
  const records = name === "writerow" ? first : elementsOf(first);
  for (const { fields } of ofKind(receiver, "object"))
    enterNames(records, fields.get(columnsKey)?.value ?? [], frame, line);
  return undefined;
}
