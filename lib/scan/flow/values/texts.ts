// Calls that build a string: formatting, joining, URLs.
import { hole, integerHole, joinPath, mentionsResource } from "../../names/addresses.ts";
import type { Expression } from "../code.ts";
import { bindPattern } from "../statements/binding.ts";
import type { Frame, Invocation, TextAtom, Value } from "./atoms.ts";
import {
  concatenate,
  dataOf,
  fill,
  newObject,
  ofKind,
  orderedItems,
  plainText,
  textsOf,
  tupleOf,
} from "./values.ts";

export const placeholder =
  /%(?:\((\w+)\))?[-+ #0-9.]*[a-zA-Z]|\{(\w*)(?:[.[!:][^{}]*)?\}|\$\{?([A-Za-z_]\w*)\}?/g;

/** `%s`, `%d`, `%(name)s`, `{}`, `{0}`, `{name}`, `$name`; numbers leave a hole that only numbers fill. */
export function formatText(format: Value, args: readonly Value[], named: ReadonlyMap<string, Value>): Value {
  return ofKind(format, "text").flatMap((atom): Value => {
    const parts: Value[] = [];
    let from = 0;
    let next = 0;
    for (const match of atom.text.matchAll(placeholder)) {
      parts.push([{ ...atom, text: atom.text.slice(from, match.index) }]);
      const name = match[1] ?? match[2] ?? match[3] ?? "";
      const given = named.get(name) ?? args[/^\d+$/.test(name) ? Number(name) : next];
      if (!named.has(name)) next += 1;
      const isInteger = /^%\d*[di]$/.test(match[0]);
      parts.push(isInteger ? [plainText(integerHole)] : textsOf(given ?? []));
      from = match.index + match[0].length;
    }
    parts.push([{ ...atom, text: atom.text.slice(from) }]);
    return concatenate(parts);
  });
}

/** The items of a list in their order; a hole where that is not known. */
function itemsOf(value: Value): Value[] {
  const [list] = ofKind(value, "object");
  if (!list) return [];
  const items = [...list.fields.values()].map((cell) => cell.value);
  return list.isOpen ? [...items, list.element.value] : items;
}

/** `(scheme, host, path, …)`. */
const joinAddress = ([, host = [], path = []]: readonly Value[]): Value =>
  concatenate([[plainText("https://")], host, path]);

const withGlue = (items: readonly Value[], glue: string): Value =>
  items.length === 0
    ? []
    : concatenate(items.flatMap((item, index) => (index > 0 ? [[plainText(glue)], item] : [item])));

const joinParts = (parts: readonly Value[]): Value => concatenate(parts, joinPath);

const same = new Set(
  "Template Path PurePath PurePosixPath as_posix as_uri furl removesuffix removeprefix urlparse urlsplit AnyHttpUrl HttpUrl String str encodeURI encodeURIComponent decodeURI quote URL URI parse Parse url toString String rstrip strip lstrip trim trimEnd TrimRight TrimSuffix TrimRight lower toLowerCase href geturl unquote with_query update_query ParseRequestURI MustParse format_map Normalize".split(
    " ",
  ),
);

const hasText = (value: Value | undefined) => value !== undefined && ofKind(value, "text").length > 0;

function replaceText([first]: readonly TextAtom[], [from, to]: readonly Value[]): Value {
  const [pattern] = ofKind(from ?? [], "text");
  if (!first || !pattern) return first ? [first] : [];
  return textsOf(to ?? []).map((by) => ({ ...first, text: first.text.replaceAll(pattern.text, by.text) }));
}

/** The text that a call builds; undefined when it does something else. */
export function buildText({ name, receiver, args: { positional, named } }: Invocation): Value | undefined {
  const [first, second] = positional;
  if (/^(Sprintf|vsprintf|sprintf)$/.test(name) && hasText(first))
    return formatText(first!, positional.slice(1), named);
  if (name === "Sprint" && positional.some(hasText)) return concatenate(positional);
  if (name === "format" && hasText(receiver)) return formatText(receiver!, positional, named);
  if (name === "join" && hasText(receiver))
    return withGlue(itemsOf(first ?? []), textsOf(receiver!)[0]!.text);
  if (name === "Join" && positional.length === 2 && hasText(second) && !hasText(first))
    return withGlue(itemsOf(first ?? []), textsOf(second!)[0]!.text);
  if (/^(Parse|ResolveReference)$/.test(name) && hasText(first) && (hasText(receiver) || name !== "Parse"))
    return joinParts([hasText(receiver) ? receiver! : [plainText(hole)], first!]);
  if (/^Replace(All)?$/.test(name) && hasText(first))
    return replaceText(textsOf(first!), positional.slice(1));
  if (name === "join" && receiver && itemsOf(receiver).length > 0) {
    return withGlue(itemsOf(receiver), hasText(first) ? textsOf(first!)[0]!.text : ",");
  }
  if (
    /^(JoinPath|joinpath|urljoin|url_join|join|Join|resolve|urlcat)$/.test(name) &&
    positional.some(hasText)
  ) {
    const begins =
      receiver && hasText(receiver) ? [receiver] : name === "JoinPath" && receiver ? [[plainText(hole)]] : [];
    return joinParts([...begins, ...positional]);
  }
  if (/^(safe_)?substitute$/.test(name) && hasText(receiver)) return formatText(receiver!, positional, named);
  if (/^urlun(split|parse)$/.test(name)) return joinAddress(itemsOf(first ?? []));
  if (name === "URL" && positional.length > 1 && hasText(first)) return joinParts([second!, first!]);
  if (name === "concat" && hasText(receiver)) return concatenate([receiver!, ...positional]);
  if (/^replace(All)?$/.test(name) && hasText(receiver)) return replaceText(textsOf(receiver!), positional);
  if (!same.has(name)) return undefined;
  if (hasText(receiver)) return receiver;
  // `url.rstrip("/")` of an unknown address: the slash is not the text that is left.
  if (/strip$|^remove|^trim/.test(name)) return undefined;
  return hasText(first) && dataOf(first!).length === 0 ? first : undefined;
}

// Texts in their order, such as the parts of a path: lists that are added up, appended to and gone through.
type Collect = Extract<Expression, { kind: "collect" }>;

const maxParts = 12;

const isPart = (value: Value) => value.every(({ kind }) => kind === "text");

/** `ROOT + ["passports", id]`: in their order, where some are texts and the others are unknown. */
export function addParts(left: Value, right: Value): Value | undefined {
  const [before, after] = [orderedItems(left) ?? [], orderedItems(right) ?? []];
  const isPath = [...before, ...after].every(isPart) && before.some((item) => item.length > 0);
  return isPath && before.length <= maxParts ? tupleOf(...before, ...after) : undefined;
}

/** `str(part) for part in parts`: in their order, where one of them is a part of a V1 path. */
function collectParts({ body, value }: Collect, frame: Frame): Value | undefined {
  const [loop] = body;
  if (body.length !== 1 || loop?.kind !== "loop" || loop.body.length > 0) return undefined;
  const items = orderedItems(frame.flow.evaluate(loop.over, frame)) ?? [];
  const isPath = ofKind(items.flat(), "text").some(({ text }) => mentionsResource(text));
  if (!isPath || items.length > maxParts) return undefined;
  return tupleOf(
    ...items.map((item) => {
      bindPattern(loop.into, item, frame);
      return frame.flow.evaluate(value, frame);
    }),
  );
}

export function collect(expression: Collect, frame: Frame): Value {
  const parts = collectParts(expression, frame);
  if (parts) return parts;
  frame.flow.run(expression.body, frame);
  const list = newObject();
  list.element.value = frame.flow.evaluate(expression.value, frame);
  // A dictionary of futures is gone through by its keys.
  if (expression.key) fill(list.element, frame.flow.evaluate(expression.key, frame));
  return [list];
}
