// Data frames: V1's records as columns, with pandas and similar libraries.

import type { Expression } from "../../flow/code.ts";
import type { Frame, Invocation } from "../../flow/frame.ts";
import { calleeName, checkFallback, checkNumberUse } from "../../flow/hazards.ts";
import { enter } from "../../flow/values/access.ts";
import type { Hook, ObjectAtom, Value } from "../../flow/values/atoms.ts";
import { atCaller } from "../../flow/values/origin.ts";
import {
  dataOf,
  dereference,
  elementsOf,
  given,
  join,
  listOf,
  newObject,
  ofKind,
  plainText,
  tupleOf,
  wrap,
} from "../../flow/values/values.ts";

const tablesOf = (value: Value): ObjectAtom[] =>
  ofKind(dereference(value), "object").filter(({ isTable }) => isTable);

function tableOf(records: Value): Value {
  const found = elementsOf(records);
  const record = found.length > 0 ? found : dataOf(dereference(records));
  if (record.length === 0) return [];
  return [{ ...newObject(), element: { value: record }, beneath: wrap(record), isTable: true }];
}

/** `df["passport_profile.location"]`, `df[["score", "bio"]]`: every name is a column. */
function readColumns(table: Value, names: Value, frame: Frame, line: number): Value {
  const listed = ofKind(dereference(names), "object");
  const own = listed.flatMap((atom) => [...(atom.isTuple ? [] : atom.fields.keys())]);
  const texts = ofKind([...names, ...elementsOf(listed)], "text");
  return join(
    ...[...texts, ...own.map(plainText)].map(({ text, via }) => {
      const at = atCaller(frame, line, via);
      const step = (value: Value, key: string) =>
        value.length > 0 ? enter(value, key, at.frame, at.line) : [];
      return text.split(/\.|__/).reduce<Value>(step, table);
    }),
  );
}

export const readElement: Hook<"readElement"> = (value, index, frame, line) => {
  const tables = tablesOf(value);
  if (tables.length === 0) return undefined;
  const columns = readColumns(tables, index, frame, line);
  return ofKind(index, "text").length > 0 ? columns : tables;
};

/** `pl.col("score") > 2`: columns inside an expression. */
function columnsIn(expression: Expression): string[] {
  switch (expression.kind) {
    case "call": {
      const inner = [expression.callee, ...expression.args.map(({ value }) => value)].flatMap(columnsIn);
      const texts = expression.args.flatMap(({ value }) => (value.kind === "text" ? value.parts : []));
      const isColumn = /^(col|column)$/.test(calleeName(expression.callee));
      return isColumn ? texts.filter((part) => typeof part === "string") : inner;
    }
    case "member":
      return columnsIn(expression.of);
    case "operation":
      return [...columnsIn(expression.left), ...columnsIn(expression.right)];
    case "list":
      return expression.items.flatMap(columnsIn);
    case "other":
      return expression.parts.flatMap(columnsIn);
    default:
      return [];
  }
}

const makesTable = /^(DataFrame|json_normalize|from_records|from_dicts?|LazyFrame)$/;
const givesRecords = /^(to_dicts?|itertuples|rows|iter_rows|to_records|collect_list)$/;
const countsColumn = /^(sum|mean|max|min|median|cumsum|nlargest)$/;
const columnArguments = [
  "by",
  "on",
  "columns",
  "subset",
  "left_on",
  "key",
  "index",
  "values",
  "x",
  "y",
  "hue",
  "color",
  "size",
  "items",
  "id_vars",
  "value_vars",
  "weights",
];

const columnsNamed = ({ named }: Invocation["args"]): Value[] =>
  columnArguments.map((key) => named.get(key) ?? []);

/** `agg(people=("passport_id", "nunique"))`: a column and what is made of it. */
const aggregated = ({ named }: Invocation["args"]): Value[] =>
  [...named.values()].flatMap((value) =>
    ofKind(dereference(value), "object").map(({ fields }) => fields.get("0")?.value ?? []),
  );

/** `query("score > 10 and human_checkmark")`: every word may be a column. */
const wordsIn = (value: Value): Value =>
  ofKind(value, "text").flatMap(({ text }) => (text.match(/[A-Za-z_]\w*/g) ?? []).map(plainText));

/** Methods of frames give frames; what they are told by name are columns. */
export function callTable(invocation: Invocation, frame: Frame): Value | undefined {
  const { name, receiver = [], args, line, source } = invocation;
  const [first = [], second = []] = args.positional;
  if (makesTable.test(name)) {
    const path = [...(args.named.get("record_path") ?? []), ...(name === "json_normalize" ? second : [])];
    const records = path.length > 0 ? readColumns(first, path, frame, line) : first;
    const table = tableOf(records.length > 0 ? records : (args.named.get("data") ?? []));
    return table.length > 0 ? table : undefined;
  }
  if (/^(concat|merge)$/.test(name) && tablesOf(elementsOf(first)).length > 0)
    return tablesOf(elementsOf(first));
  const tables = tablesOf(receiver);
  if (/^(fillna|fill_null|fill_nan)$/.test(name) && source[0])
    checkFallback(join(dataOf(receiver), ...tables.map(({ beneath }) => beneath)), source[0], frame, line);
  if (tables.length === 0) {
    // `px.scatter(df, x="score")`, `sns.barplot(data=df, x="score")`
    const shown = tablesOf([
      ...first,
      ...(args.named.get("data") ?? []),
      ...(args.named.get("data_frame") ?? []),
    ]);
    if (shown.length > 0) for (const names of columnsNamed(args)) readColumns(shown, names, frame, line);
    if (countsColumn.test(name) && args.positional.length === 0) checkNumberUse(receiver, frame, line);
    return undefined;
  }
  const records = elementsOf(tables.map((table): ObjectAtom => ({ ...table, fields: new Map() })));
  const told = [...args.positional, ...columnsNamed(args)];
  if (/^agg(regate)?$/.test(name)) told.push(...aggregated(args));
  if (/^(query|eval)$/.test(name)) told.push(wordsIn(first));
  for (const names of told) readColumns(tables, names, frame, line);
  const spoken = source.flatMap(columnsIn).map(plainText);
  readColumns(tables, spoken, frame, line);
  for (const value of [...args.positional, ...args.named.values()]) {
    const held = name === "assign" || name === "pipe" ? tables : join(tables, records);
    for (const target of ofKind(value, "function")) frame.flow.apply(target, given(held), frame, line);
  }
  if (name === "iterrows") return listOf(tupleOf([], tables));
  return givesRecords.test(name) ? listOf(tables) : tables;
}
