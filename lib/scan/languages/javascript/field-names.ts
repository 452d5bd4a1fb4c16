// Functions that take the name of a field as a text: `get(body, "passport.score")`, `sortBy(list, "score")`.

import { callEach } from "../../flow/calls/callbacks.ts";
import { checkFallback, checkNumberUse, rootName } from "../../flow/hazards.ts";
import { enterPath, type Path } from "../../flow/values/access.ts";
import type { Frame, Invocation, Value } from "../../flow/values/atoms.ts";
import { elementsOf, join, listOf, ofKind } from "../../flow/values/values.ts";
import { allNodes } from "../../names/fields.ts";

const ofOne = /^(get|at|path|pathOr|prop|propOr|pick|pickAll|props|omit|has|result|pluck|property)$/;
const ofEach =
  /^(map|flatMap|pluck|forEach|each|((sort|order|group|key|index|sum|max|min|mean|uniq|count)By)|partition|filter|reject|find|findLast|some|every|mapValues)$/;
const givesValue = /^(get|path|pathOr|prop|propOr|result|property)$/;
/** A list of texts is one path, step by step. */
const takesSteps = /^(path|get$|has$|result$|property$)/;
const toNumber = /^(sum|max|min|mean)By$/;
const libraries = /^(_|Object|Map|lodash|fp|R|ramda|underscore|dot|objectPath|A|RA|Arr|Array)$/;

const isValue = ({ kind }: Value[number]) => kind === "data" || kind === "object";

const nodeNames = new Set(allNodes.map(({ name }) => name));

const splitPath = (text: string): string[] => text.split(/[.[\]]+/).filter((part) => /^[A-Za-z_]/.test(part));

/** Names in texts, in lists of texts, and as the keys of a pattern such as `{ source: "lens" }`. */
function pathsIn(value: Value): Path[] {
  return value.flatMap((atom): Path[] => {
    if (atom.kind === "text") return [{ steps: splitPath(atom.text), via: atom.via }];
    if (atom.kind !== "object" || atom.isWrapped) return [];
    if (!atom.isTuple) return [...atom.fields.keys()].map((key) => ({ steps: [key], via: undefined }));
    const parts = [...atom.fields.values()].flatMap((cell) => ofKind(cell.value, "text"));
    return parts.map(({ text, via }) => ({ steps: splitPath(text), via }));
  });
}

/** V1's data, or something that has it inside; a list of names has not. */
const holdsData = (value: Value): boolean =>
  value.some((atom) => atom.kind === "data" || elementsOf([atom]).some(isValue));

/** What is left of the subject after such a function. */
function resultOf(name: string, isMap: boolean, subject: Value, each: Value, found: Value): Value {
  if (/^(map|flatMap|pluck|mapValues)$/.test(name)) return listOf(found);
  if (/^(find|findLast|maxBy|minBy)$/.test(name)) return each;
  if (/^(groupBy|partition)$/.test(name)) return listOf(subject, { isWrapped: isMap });
  return /^(sumBy|meanBy|some|every|has)$/.test(name) ? [] : subject;
}

const namesField = ({ steps }: Path) => steps.some((step) => nodeNames.has(step));

/** `sortBy("score")` of a chain: the subject comes before the dot. */
const isChained = ({ receiver = [], args, name }: Invocation): boolean =>
  ofEach.test(name) && holdsData(receiver) && pathsIn(args.positional[0] ?? []).some(namesField);

export function readByKey(invocation: Invocation, frame: Frame): Value | undefined {
  const { callee, name, args, line, source } = invocation;
  if (!(ofOne.test(name) || ofEach.test(name))) return undefined;
  const chained = isChained(invocation);
  if (!chained && !libraries.test(rootName(callee)) && callee.kind !== "name") return undefined;
  const values = chained ? [invocation.receiver!, ...args.positional] : args.positional;
  const at = values.findIndex(holdsData);
  const others = values.filter((value, index) => index !== at && value.length > 0);
  const [key = []] = others;
  const functions = ofKind(key, "function");
  const texts = pathsIn(key);
  if (at < 0) return undefined;
  const subject = values[at]!.filter(isValue);
  const each = elementsOf(subject);
  const from = ofEach.test(name) ? (each.length > 0 ? each : subject) : subject;
  const isSteps = takesSteps.test(name) && !key.some(({ kind }) => kind === "text");
  const paths = isSteps ? [{ steps: texts.flatMap(({ steps }) => steps), via: undefined }] : texts;
  if (texts.length === 0 && functions.length === 0) return undefined;
  const found = join(
    ...(texts.length > 0 ? paths.map((path) => enterPath(from, path, frame, line)) : []),
    callEach(functions, [from], frame, line),
  );
  if (toNumber.test(name)) checkNumberUse(found, frame, line);
  if (!givesValue.test(name)) return resultOf(name, rootName(callee) === "Map", subject, from, found);
  const instead = name.endsWith("Or") ? source[0] : source[2];
  if (instead) checkFallback(found, instead, frame, line);
  return found;
}
