// Data frames: V1's records as columns, with pandas and similar libraries.

import { type Expression, walk } from "../../flow/code.ts";
import { calleeName, checkFallback, checkNumberUse } from "../../flow/hazards.ts";
import { enterNames, enterPath } from "../../flow/values/access.ts";
import type { Frame, Hook, Invocation, ObjectAtom, Value } from "../../flow/values/atoms.ts";
import { keysOf } from "../../flow/values/origin.ts";
import {
  dataOf,
  elementsOf,
  join,
  listOf,
  newObject,
  ofKind,
  plainText,
  tupleOf,
  wrap,
} from "../../flow/values/values.ts";

const tablesOf = (value: Value): ObjectAtom[] => ofKind(value, "object").filter(({ isTable }) => isTable);

function tableOf(records: Value): Value {
  const found = elementsOf(records);
  const record = found.length > 0 ? found : dataOf(records);
  if (record.length === 0) return [];
  return [{ ...newObject(), element: { value: record }, beneath: wrap(record), isTable: true }];
}

/** `df["passport_profile.location"]`, `df[["score", "bio"]]`: every name is a column. */
function readColumns(table: Value, names: Value, frame: Frame, line: number): Value {
  const listed = ofKind(names, "object");
  // `df.loc[rows, ["score", "bio"]]`
  const inside = elementsOf(listed);
  const texts = ofKind([...names, ...inside, ...elementsOf(ofKind(inside, "object"))], "text");
  return join(
    ...[...texts, ...ofKind(keysOf(listed), "text")].map(({ text, via }) =>
      enterPath(table, { steps: text.replace(/:[A-Z]$/, "").split(/\.|__/), via }, frame, line),
    ),
  );
}

export const readElement: Hook<"readElement"> = (value, index, frame, line) => {
  const tables = tablesOf(value);
  if (tables.length === 0) return undefined;
  const columns = readColumns(tables, index, frame, line);
  return ofKind(index, "text").length > 0 ? columns : tables;
};

const makesTable = /^(DataFrame|json_normalize|from_records|from_dicts?|LazyFrame)$/;
const givesRecords = /^(to_dicts?|itertuples|rows|iter_rows|to_records|collect_list)$/;
const countsColumn = /^(sum|mean|max|min|median|cumsum|nlargest)$/;
/** Named arguments that say how something looks. */
const noColumn = /^(title|label\w*|name|suffix\w*|how|aggfunc|format|kind|style)$/;

/** A named argument is read on its own line. */
const lineOfNamed = ({ call, line }: Invocation, key: string): number =>
  call.args.find(({ name }) => name === key)?.value.line ?? line;

function readNamed(tables: Value, invocation: Invocation, frame: Frame): void {
  for (const [key, names] of tables.length > 0 ? invocation.args.named : [])
    if (!noColumn.test(key) && tablesOf(names).length === 0)
      readColumns(tables, names, frame, lineOfNamed(invocation, key));
}

/** `pl.col("score")`, wherever it is in an expression. */
function columnsIn(source: readonly Expression[]): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  walk(source, (one) => {
    if (one.kind !== "call" || calleeName(one.callee) !== "col") return;
    for (const { value } of one.args)
      if (value.kind === "text" && typeof value.parts[0] === "string")
        found.push({ name: value.parts[0], line: value.line });
  });
  return found;
}

/** Methods of frames return frames; the names in their arguments are columns. */
export function callTable(invocation: Invocation, frame: Frame): Value | undefined {
  const { name, receiver = [], args, line, source } = invocation;
  const [first = []] = args.positional;
  if (makesTable.test(name)) {
    const records = first.length > 0 ? first : (args.named.get("data") ?? []);
    // `json_normalize(people, record_path="passport_socials", meta=["passport_id"])`
    const path = args.named.get("record_path") ?? [];
    const inside = enterNames(elementsOf(records), path, frame, lineOfNamed(invocation, "record_path"));
    const table = tableOf(
      inside.length > 0 ? listOf(join(elementsOf(inside), elementsOf(records))) : records,
    );
    readNamed(table, invocation, frame);
    return table.length > 0 ? table : undefined;
  }
  if (/^(concat|merge)$/.test(name) && tablesOf(elementsOf(first)).length > 0)
    return tablesOf(elementsOf(first));
  // `others.merge(people)` has the columns of both.
  const tables = tablesOf(/^(merge|join)$/.test(name) ? [...receiver, ...args.positional.flat()] : receiver);
  if (/^(fillna|fill_null|fill_nan)$/.test(name) && source[0])
    checkFallback(join(dataOf(receiver), ...tables.map(({ beneath }) => beneath)), source[0], frame, line);
  if (tables.length === 0) {
    // `px.scatter(people, x="score")`, `alt.Chart(people).encode(x="score:Q")`
    const shown = tablesOf([...args.positional, ...args.named.values()].flat());
    readNamed(shown, invocation, frame);
    if (name === "Chart") return shown;
    if (countsColumn.test(name) && args.positional.length === 0) checkNumberUse(receiver, frame, line);
    return undefined;
  }
  const columns = args.positional.map((names, index) =>
    readColumns(tables, names, frame, source[index]?.line ?? line),
  );
  readNamed(tables, invocation, frame);
  // `frame.query("score > 10 and type == 'lens'")`
  for (const { text } of /^(query|eval)$/.test(name) ? ofKind(first, "text") : [])
    for (const [word] of text.replace(/'[^']*'|"[^"]*"/g, "").matchAll(/[a-z_]\w*/gi))
      readColumns(tables, [plainText(word)], frame, line);
  for (const named of columnsIn(source)) readColumns(tables, [plainText(named.name)], frame, named.line);
  if (name === "unnest")
    return tables.map((table) => ({ ...table, beneath: join(table.beneath, wrap(join(...columns))) }));
  if (name === "iterrows") return listOf(tupleOf([], tables));
  return givesRecords.test(name) ? listOf(tables) : tables;
}

// Rows that are written to a file.
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
