// Functions that take the name of a field as a text: `get(body, "passport.score")`, `sortBy(list, "score")`.
import { elementsOf, enter } from "./scan-access.ts";
import type { Expression } from "./scan-code.ts";
import type { Flow, Frame, Invocation } from "./scan-frame.ts";
import { checkFallback, checkNumberUse, rootName } from "./scan-hazards.ts";
import { dereference, join, newObject, ofKind, type Value } from "./scan-values.ts";

const ofOne = /^(get|at|path|pathOr|prop|propOr|pick|pickAll|props|omit|has|result|pluck|property)$/;
const ofEach =
  /^(map|flatMap|pluck|(sort|order|group|key|index|sum|max|min|mean|uniq|count)By|partition|filter|reject|find|findLast|some|every)$/;
const givesValue = /^(get|path|pathOr|prop|propOr|result)$/;
const toNumber = /^(sum|max|min|mean)By$/;
const libraries = /^(_|Object|Map|lodash|fp|R|ramda|underscore|dot|objectPath)$/;

const isValue = ({ kind }: Value[number]) => kind === "data" || kind === "object";

const splitPath = (text: string): string[] => text.split(/[.[\]]+/).filter((part) => /^[A-Za-z_]/.test(part));

/** Names in texts, in lists of texts, and as the keys of a pattern such as `{ source: "lens" }`. */
function pathsIn(value: Value): string[][] {
  return dereference(value).flatMap((atom) => {
    if (atom.kind === "text") return [splitPath(atom.text)];
    if (atom.kind !== "object" || atom.isWrapped) return [];
    if (!atom.isTuple) return [...atom.fields.keys()].map((key) => [key]);
    const parts = [...atom.fields.values()].flatMap((cell) => ofKind(cell.value, "text"));
    return parts.map(({ text }) => splitPath(text));
  });
}

const listOf = (value: Value): Value => {
  const list = newObject();
  list.element.value = value;
  return [list];
};

/** V1's data, or something that has it inside; a list of names has not. */
const holdsData = (value: Value): boolean =>
  dereference(value).some((atom) => atom.kind === "data" || elementsOf([atom]).some(isValue));

/** What is left of the subject after such a function. */
function resultOf(name: string, subject: Value, each: Value, found: Value): Value {
  if (/^(map|flatMap|pluck)$/.test(name)) return listOf(found);
  if (/^(find|findLast|maxBy|minBy)$/.test(name)) return each;
  if (/^(groupBy|partition)$/.test(name)) return listOf(subject);
  return /^(sumBy|meanBy|some|every|has)$/.test(name) ? [] : subject;
}

export function readByKey(
  { callee, name, args, line }: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const isKnown = libraries.test(rootName(callee)) || callee.kind === "name";
  if (!isKnown || !(ofOne.test(name) || ofEach.test(name))) return undefined;
  const at = args.positional.findIndex(holdsData);
  if (at < 0) return undefined;
  const subject = dereference(args.positional[at]!).filter(isValue);
  const from = ofEach.test(name) ? elementsOf(subject) : subject;
  const [key = []] = args.positional.filter((_, index) => index !== at);
  const functions = ofKind(key, "function");
  // Ramda gives a path as a list of its steps.
  const paths = /^path/.test(name) ? [pathsIn(key).flat()] : pathsIn(key);
  if (paths.length === 0 && functions.length === 0) return undefined;
  const step = (value: Value, part: string): Value => {
    const inner = enter(value, part, frame, line, flow);
    return inner.length > 0 ? inner : enter(elementsOf(value), part, frame, line, flow);
  };
  const found = join(
    ...paths.map((path) => path.reduce(step, from)),
    ...functions.map((target) => flow.apply(target, { positional: [from], named: new Map() }, frame, line)),
  );
  if (toNumber.test(name)) checkNumberUse(found, frame, line, flow);
  if (!givesValue.test(name)) return resultOf(name, subject, from, found);
  if (source[2]) checkFallback(found, source[2], frame, line, flow);
  return found;
}
