// Member access: the value at a key.
import { childFor, type FieldNode, nodeNamed, tellingNames, toSnakeCase } from "../../names/fields.ts";
import type { Expression } from "../code.ts";
import { noArguments, tellRead, tellUndocumented } from "../frame.ts";
import {
  type Atom,
  type DataAtom,
  type Frame,
  metOf,
  type ObjectAtom,
  type Site,
  type Value,
} from "./atoms.ts";
import { atCaller } from "./origin.ts";
import { bindMethods, declaredFields, typedValue } from "./types.ts";
import { dereference, elementsOf, isBody, join, newData, ofKind, plainText } from "./values.ts";

/** On an answer, ways to its body that are no fields of it. */
const carriers = new Set(
  "data _data body json text content Body payload result results value response Result parsed raw decoded json_data read responseText responseJSON".split(
    " ",
  ),
);
/** On what a library made, ways to what it was given. */
const wrappings = new Set(
  "data value current payload result results state $state pages page latest fulfilled default props initialData items node item row original Provider right output some val success".split(
    " ",
  ),
);
const statusKeys =
  /^(ok|status|status_code|StatusCode|statusCode|is_success|is_error|IsError|IsSuccess|success|error)$/;

/** Of an address: the scheme and the host. */
export const origin = /^(?:[a-z]+:\/\/)?[^/]*/i;

/** The name of an embedded struct, whose fields are those of what embeds it. */
export const embeddedTag = "<embedded>";

/** Code names a decoded field as it likes; tags and aliases say which key is meant. */
function childOf(node: FieldNode, key: string, { module }: Frame): FieldNode | undefined {
  const exact = node.children.get(key);
  const { keys } = module.language;
  // `camelcaseKeys(body)`: the same fields in other letters.
  if (exact || keys === "exact") return exact ?? node.children.get(toSnakeCase(key));
  const tags = [...(module.tags.get(key) ?? []), ...(module.allTags.get(key) ?? [])];
  const [child] = tags.flatMap((tag) => {
    const parents = tag.split(".").slice(0, -1);
    const parent = parents.reduce<FieldNode | undefined>((at, part) => at?.children.get(part), node);
    return (parent && childFor(parent, tag.slice(tag.lastIndexOf(".") + 1), key)) ?? [];
  });
  // Without a tag, any case of letters fits.
  return child ?? (keys === "alias" || module.tags.has(key) ? undefined : childFor(node, key, key));
}

function enterData(atom: DataAtom, key: string, frame: Frame, line: number): Value {
  // A list that a language unwraps by itself, such as a typed list's item.
  const child = childOf(atom.node, key, frame);
  if (child) {
    const inner: DataAtom = { ...atom, node: child };
    tellRead(frame, line, inner);
    return [inner];
  }
  const { keys } = frame.module.language;
  if (keys === "any-case" && frame.module.allTags.get(key)?.has(embeddedTag)) return [atom];
  const members = [...(frame.flow.models.get(atom.node) ?? [])].map(({ instance }) =>
    enterObject(instance, key, frame, line, atom),
  );
  if (members.some((found) => found.length > 0)) return join(...members);
  if (/^(str|dt|Raw|Str)$/.test(key)) return [atom];
  if (isBody(atom) && statusKeys.test(key)) return [{ kind: "status", of: metOf(atom) }];
  tellUndocumented(frame, line, atom, key);
  return (isBody(atom) && carriers.has(key)) || (atom.isWrapped && wrappings.has(key)) ? [atom] : [];
}

const readGetters = (value: Value, frame: Frame, line: number): Value =>
  value.flatMap((atom): Value => {
    const isGetter = atom.kind === "function" && atom.code.isGetter;
    return isGetter ? frame.flow.apply(atom, noArguments, frame, line) : [atom];
  });

/** Ways to look at a data frame. */
const frameViews = /^(loc|iloc|at|iat|T|values|str|dt|plot)$/;

/** What was put in under any key may be under this one. */
const isDictionary = ({ isTuple, type, fields, element }: ObjectAtom, key: string, { module }: Frame) =>
  module.language.readsAnyKey &&
  !isTuple &&
  !type &&
  !fields.has(key) &&
  element.value.length > 0 &&
  !(key in Array.prototype || key === "size");

/** `self`: the value that was asked, where this is its class or beneath it. */
const enterObject = (atom: ObjectAtom, key: string, frame: Frame, line: number, self: Atom): Value => {
  const own = atom.fields.get(key);
  // A column that was filled up or converted is still V1's.
  const columns = own && atom.isTable ? enter(atom.beneath, key, frame, line, self) : [];
  if (columns.length > 0) return columns;
  if (own && (own.value.length > 0 || !(atom.isWrapped || atom.type)))
    return readGetters(bindMethods(own.value, atom, self), frame, line);
  if (atom.isTable && frameViews.test(key)) return [atom];
  if (atom.isTable && key.includes("."))
    return key.split(".").reduce<Value>((value, part) => enter(value, part, frame, line), [atom]);
  // A list inside a reference.
  if (key === "value" && atom.isTuple && !own) return [atom];
  const inner =
    atom.beneath.length > 0
      ? enter(atom.beneath, key, frame, line, self)
      : enterDeclared(atom, key, frame, line, self);
  const isAsked = inner.length === 0 && !own && self === atom && !key.startsWith("_");
  const asked = isAsked ? askObject(atom, key, frame, line) : [];
  if (asked.length > 0) return asked;
  if (!atom.isWrapped)
    return inner.length > 0 || !isDictionary(atom, key, frame) ? inner : atom.element.value;
  // What a store began with, and what was set later.
  const held = unwrap(atom, key, frame, line);
  const further = inner.length > 0 ? held.filter((one) => one !== atom) : held;
  return join(inner, further);
};

/** Some libraries name a hook after each endpoint: getPassport → useGetPassportQuery. */
const generatedHook = /^use(?:Lazy)?([A-Z])(\w*?)(?:Query|Mutation)$/;

/** Boxes on the way in; a store may hold itself. */
const opened = new Set<ObjectAtom>();

/** What a box holds, or the box itself where the key is only its wrapping. */
function unwrap(atom: ObjectAtom, key: string, frame: Frame, line: number): Value {
  if (opened.has(atom)) return [];
  opened.add(atom);
  try {
    const [, initial, rest] = generatedHook.exec(key) ?? [];
    if (initial) return enter([atom], initial.toLowerCase() + rest, frame, line);
    // A reference is filled by the name that it is read by.
    const filled = ["value", "current"].flatMap((name) => atom.fields.get(name)?.value ?? []);
    const inside = join(atom.element.value, filled);
    const held = inside.length > 0 ? enter(inside, key, frame, line) : [];
    return held.length === 0 && wrappings.has(key) ? [atom] : held;
  } finally {
    opened.delete(atom);
  }
}

/** An object that answers for keys and names by a method of its own. */
function askObject(atom: ObjectAtom, key: string, frame: Frame, line: number): Value {
  const methods = frame.module.language.methods.get.flatMap((name) => enter([atom], name, frame, line));
  const args = { positional: [[plainText(key)]], named: new Map() };
  return join(...ofKind(methods, "function").map((method) => frame.flow.apply(method, args, frame, line)));
}

/** Structs in structs; a circle of them ends here. */
const maxEmbedded = 4;
let embedded = 0;

/** A field that nobody filled, or one of an embedded struct. */
function enterDeclared(atom: ObjectAtom, key: string, frame: Frame, line: number, self: Atom): Value {
  if (embedded >= maxEmbedded) return [];
  embedded += 1;
  const found = declaredFields(atom, key).map(({ name, type }): Value => {
    const filled = atom.fields.get(name)?.value ?? [];
    const typed = typedValue(type, frame, atom.type?.scope);
    // What code makes by hand is not V1's answer, whatever its type.
    const isMade = self !== atom || atom.type?.shape;
    const empty = isMade ? typed.filter(({ kind }) => kind !== "data") : typed;
    const value = filled.length > 0 ? filled : empty;
    return name === key || value.length === 0 ? value : enter(value, key, frame, line);
  });
  embedded -= 1;
  return join(...found);
}

export function enter(value: Value, key: string, frame: Frame, line: number, self?: Atom): Value {
  const atoms = dereference(value);
  if (atoms.length === 0) {
    const kept = frame.flow.attributes.get(key)?.value ?? [];
    if (kept.length > 0) return kept;
    // Only when all is known that will be.
    const mayGuess = frame.flow.round > 0 && frame.module.language.keys !== "alias";
    const names = mayGuess ? [key, ...(frame.module.tags.get(key) ?? [])] : [];
    const telling = names.find((name) => tellingNames.has(name));
    if (!telling) return [];
    const data = newData(nodeNamed(telling, new Set())!, "name");
    tellRead(frame, line, data);
    return [data];
  }
  return join(
    ...atoms.map((atom: Atom): Value => {
      if (atom.kind === "data") return enterData(atom, key, frame, line);
      if (atom.kind === "object") return enterObject(atom, key, frame, line, self ?? atom);
      if (atom.kind === "class") return enterObject(atom.instance, key, frame, line, self ?? atom);
      if (atom.kind === "foreign") {
        if (tellingNames.has(key)) frame.flow.others.add(frame.module.file);
        return [atom];
      }
      return atom.kind === "text" && /^(href|pathname|value)$/.test(key) ? [atom] : [];
    }),
  );
}

type Place = Extract<Expression, { kind: "member" | "element" }>;

/** `session["person"]`, `context.user_data.person`: the name under which code keeps something in what a library made. */
export function slotNames(place: Place, frame: Frame): string[] {
  const { of } = place;
  const holder = of.kind === "name" ? of.name : of.kind === "member" ? of.key : undefined;
  const index = place.kind === "element" && place.index ? frame.flow.evaluate(place.index, frame) : [];
  const keys = place.kind === "member" ? [place.key] : ofKind(index, "text").map(({ text }) => text);
  return holder === undefined ? [] : keys.map((key) => `${holder}.${key}`);
}

/** What was kept there. */
export const readSlot = (place: Place, frame: Frame): Value =>
  slotNames(place, frame).flatMap((slot) => frame.flow.attributes.get(slot)?.value ?? []);

/** The values under names that are texts, each read where it was chosen. */
export const enterNames = (value: Value, names: Value, frame: Frame, line: number): Value =>
  join(
    ...ofKind(names, "text").map(({ text, via }) => {
      const at = atCaller(frame, line, via);
      return enter(value, text, at.frame, at.line);
    }),
  );

/** A path of names, each read from where the one before led, and from the items of a list. */
export function enterPath(value: Value, path: Path, frame: Frame, line: number): Value {
  const at = atCaller(frame, line, path.via);
  return path.steps.reduce((from, key) => {
    const inner = enter(from, key, at.frame, at.line);
    return inner.length > 0 ? inner : enter(elementsOf(from), key, at.frame, at.line);
  }, value);
}

export type Path = { steps: readonly string[]; via?: Site | undefined };
