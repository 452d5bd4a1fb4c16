// Attributes a path or a field to the caller that chose it, not to the line inside a wrapper function.
import { mentionsResource } from "../../names/addresses.ts";
import { allNodes } from "../../names/fields.ts";
import type { Atom, Cell, Frame, ObjectAtom, Site, Value } from "./atoms.ts";
import { ofKind, plainText, remember } from "./values.ts";

const fieldNames = new Set(allNodes.filter(({ isEnvelope }) => !isEnvelope).map(({ name }) => name));

const isChosen = (text: string) => mentionsResource(text) || fieldNames.has(text);

const markText = (atom: Atom, site: Site, isMarked = isChosen): Atom =>
  atom.kind === "text" && !atom.via && isMarked(atom.text) ? { ...atom, via: site } : atom;

const copies = new WeakMap<ObjectAtom, Map<string, ObjectAtom>>();

const cellsOf = ({ fields, element }: ObjectAtom): Cell[] => [...fields.values(), element];

/** A list of addresses and nothing else. */
const isAddresses = (atom: ObjectAtom): boolean => {
  const held = cellsOf(atom).flatMap(({ value }) => value);
  return (
    held.every(({ kind }) => kind === "text") &&
    ofKind(held, "text").some(({ text }) => mentionsResource(text))
  );
};

function markList(atom: ObjectAtom, site: Site): ObjectAtom {
  const known = remember(copies, atom, () => new Map<string, ObjectAtom>());
  const copy = remember(known, `${site.file}:${site.line}`, () => ({
    ...{ ...atom, fields: new Map(), element: { value: [] } },
  }));
  const mark = ({ value }: Cell): Cell => ({ value: value.map((one) => markText(one, site)) });
  for (const [name, cell] of atom.fields) copy.fields.set(name, mark(cell));
  copy.element = mark(atom.element);
  return copy;
}

/** A path or a field's name that is handed to a function is chosen where it is handed over. */
export const markOrigin = (value: Value, site: Site): Value =>
  value.map((atom) =>
    atom.kind === "object" && !atom.type && atom.beneath.length === 0 && isAddresses(atom)
      ? markList(atom, site)
      : markText(atom, site),
  );

const namesField = (text: string) => fieldNames.has(text.slice(text.lastIndexOf(".") + 1));

/** The name of a field in a table of names is chosen where it is written down. */
export const markWritten = (value: Value, site: Site | undefined): Value =>
  site ? value.map((atom) => markText(atom, site, namesField)) : value;

/** Rows of such a table: `[{ key: "score" }, …]`, `[["id", "passport_id"], …]`. */
export function markRow(row: Value): Value {
  for (const { fields } of ofKind(row, "object"))
    for (const cell of fields.values()) cell.value = markWritten(cell.value, cell.site);
  return row;
}

/** The keys of a literal, where they are names of fields. */
export const keysOf = (value: Value): Value =>
  ofKind(value, "object").flatMap(({ fields }) =>
    [...fields].flatMap(([text, { site }]) =>
      namesField(text) && site ? [{ ...plainText(text), via: site }] : [],
    ),
  );

/** Where a read by this name belongs. */
export const atCaller = (
  frame: Frame,
  line: number,
  via: Site | undefined,
): { frame: Frame; line: number } =>
  via
    ? {
        frame: { ...frame, module: { ...frame.module, file: via.file }, inside: via.inside },
        line: via.line,
      }
    : { frame, line };
