// Callbacks passed to code outside the tree: which ones produce a value and which ones receive it.

import type { Expression } from "../code.ts";
import { type Arguments, type Frame, noArguments } from "../frame.ts";
import type { Cell, FunctionAtom, ObjectAtom, Value } from "../values/atoms.ts";
import {
  dataOf,
  dereference,
  elementsOf,
  fill,
  isBody,
  join,
  newObject,
  ofKind,
  wrap,
} from "../values/values.ts";
import { beginContext, readTable } from "./handlers.ts";
import { isClient } from "./requests.ts";

const takes =
  /^(select|combine|transform\w*|normali[sz]e\w*|on[A-Z]\w*|success|done|next|complete\w*|get(Next|Previous)PageParam|tap|update)$/;
const reshapes = /^(select|combine|transform\w*|normali[sz]e\w*)$/;
/** `(error, body) =>`, `(index, item) =>`, `(state, action) =>`: what comes first is not the value. */
const notTheValue = /^_*(e|er|err|error|i|idx|index|k|key|state|draft|acc)?_*$/;

type Markup = Extract<Expression, { kind: "markup" }>;
type Handed = { name: string; target: FunctionAtom };

function functionsIn(value: Value, name: string, depth: number): Handed[] {
  return value.flatMap((atom): Handed[] => {
    if (atom.kind === "function") return [{ name, target: atom }];
    // A client's own methods are not options.
    if (atom.kind !== "object" || atom.isWrapped || atom.isInstance || depth === 0) return [];
    return [
      ...[...atom.fields].flatMap(([key, cell]) =>
        functionsIn(cell.value, atom.isTuple ? name : key, depth - 1),
      ),
      ...functionsIn(atom.element.value, name, depth - 1),
    ];
  });
}

/** As arguments: `useSWR(key, load)`; in options: `{ queryFn: load }`, `{ queries: [{ queryFn }] }`. */
const handedFunctions = ({ positional, named }: Arguments, { module }: Frame): Handed[] => [
  // Python hands over modules and instances, whose functions are no options.
  ...positional.flatMap((value) => functionsIn(value, "", module.language === "python" ? 0 : 3)),
  ...[...named].flatMap(([name, value]) => functionsIn(value, name, module.language === "python" ? 0 : 1)),
];

export function argumentsFor({ code }: FunctionAtom, value: Value): Arguments {
  const [first, ...others] = code.params;
  const skips = others.length > 0 && notTheValue.test(first?.name ?? "value");
  return { positional: skips ? [[], ...others.map(() => value)] : [value], named: new Map() };
}

const give = (target: FunctionAtom, value: Value, frame: Frame, line: number): Value =>
  frame.flow.apply(target, value.length > 0 ? argumentsFor(target, value) : noArguments, frame, line);

export const callEach = (functions: Value, given: readonly Value[], frame: Frame, line: number): Value =>
  join(
    ...functions.map((target): Value => {
      // `.then(setPassport)`
      if (target.kind === "setter" && !target.through) fill(target.cell, given[0] ?? []);
      if (target.kind !== "function") return [];
      return frame.flow.apply(target, { positional: given, named: new Map() }, frame, line);
    }),
  );

/** An answer goes to every callback beside its request; `select` and the like make something else of it. */
export function giveAnswer(args: Arguments, answer: Value, frame: Frame, line: number): Value {
  let value = answer;
  for (const { name, target } of handedFunctions(args, frame)) {
    const result = give(target, value, frame, line);
    if (reshapes.test(name) && result.length > 0) value = wrap(result);
  }
  return value;
}

const isListed = (atom: Value[number]) =>
  atom.kind === "object"
    ? atom.isTuple || atom.isWrapped || atom.element.value.length > 0
    : atom.kind === "data" && (atom.isWrapped || !isBody(atom));

/** Clients among the options: what is defined beside one, asks through it. */
const clientsIn = (value: Value): Value =>
  ofKind(value, "object").flatMap(({ fields }) =>
    [...fields.values()].flatMap((cell) => cell.value.filter((atom) => isClient([atom]))),
  );

const isKept = ({ kind }: Value[number]) => kind === "data" || kind === "object" || kind === "foreign";

/** What a function outside the tree makes of an answer is most likely still the answer, less surely. */
const handedOn = ({ positional }: Arguments, { module }: Frame): Value =>
  positional.flatMap((value) => {
    const data = dataOf(dereference(value)).filter((atom) => isBody(atom) || atom.isWrapped);
    const kept: Value = data.map((atom) => (atom.isWrapped ? atom : { ...atom, basis: "type" }));
    if (module.language !== "javascript") return kept;
    // `inject(Service)`, `container.resolve(Service)`: one of the class.
    const made = ofKind(value, "class").map(({ instance }) => instance);
    return [...kept, ...made, ...ofKind(value, "object").filter(({ isWrapped }) => isWrapped)];
  });

/** A single value, such as the id in a query's key, is no answer. */
const isAnswer = (atom: Value[number]) =>
  atom.kind !== "data" || atom.node.children.size > 0 || atom.node.element !== undefined;

/** `{ queries: [first, second] }`: what was made earlier, among the options. */
const madeBefore = (value: Value, depth: number): Value =>
  ofKind(value, "object").flatMap(({ fields, element, beneath, isWrapped }) =>
    depth === 0
      ? []
      : [{ value: isWrapped ? [] : beneath }, element, ...fields.values()].flatMap((cell) => [
          ...dataOf(cell.value).filter((atom) => atom.isWrapped && isAnswer(atom)),
          ...madeBefore(cell.value, depth - 1),
        ]),
  );

/** As a callback is given it; of many pages there is one thing that has them all. */
const unboxed = (made: Value): Value =>
  made.flatMap((atom): Value => {
    if (atom.kind !== "data") return [atom];
    const { isWrapped: _, ...bare } = atom;
    return isBody(atom) ? wrap([atom]) : [bare];
  });

/** `retry(load)`, `useQuery({ queryFn: load })`, `memoize(load)`: what the callback makes, wrapped or still to be called. */
export function callOutside(args: Arguments, frame: Frame, line: number): Value {
  const handed = handedFunctions(args, frame);
  const given = handedOn(args, frame);
  if (handed.length === 0) return given;
  const elements = join(
    ...args.positional.map((value) => join(elementsOf(value.filter(isListed)), clientsIn(value))),
  );
  let made = join(...args.positional.map((value) => madeBefore(value, 2)));
  for (const { name, target } of handed) {
    if (takes.test(name)) continue;
    const result = give(target, elements, frame, line).filter(isKept);
    beginContext(name, result, frame.flow);
    made = join(made, result);
  }
  for (const { name, target } of handed) {
    if (!takes.test(name)) continue;
    const result = give(target, name === "combine" ? made : unboxed(made), frame, line).filter(isKept);
    if (reshapes.test(name) && result.length > 0) made = result;
  }
  const functions = args.positional.flatMap((value) => ofKind(value, "function"));
  return join(given.filter(isAnswer), wrap(made), functions);
}

/** `useSWRInfinite((page) => path)`, `builder.query({ query: (id) => path })`: a path that a function makes. */
export const pathsMade = (args: Arguments, frame: Frame, line: number): Value[] =>
  handedFunctions(args, frame)
    .filter(({ name }) => !takes.test(name))
    .map(({ target }) => frame.flow.apply(target, noArguments, frame, line))
    .filter((value) => value.some(({ kind }) => kind === "text" || kind === "object"));

/** One box for each place that makes one; a hook has its own for each of its callers. */
export function boxAt(place: Expression, frame: Frame): ObjectAtom {
  const { made } = /^use[A-Z]/.test(frame.code?.name ?? "") ? frame : frame.module.frame;
  const box = made.get(place) ?? { ...newObject(), isWrapped: true };
  made.set(place, box);
  return box;
}

/** `new Promise((resolve) => …)` is what is resolved. */
export function settle(args: Arguments, frame: Frame, line: number): Value {
  const cell: Cell = { value: [] };
  for (const target of ofKind(args.positional[0] ?? [], "function"))
    frame.flow.apply(target, { positional: [[{ kind: "setter", cell }]], named: new Map() }, frame, line);
  return cell.value;
}

/** `create((set) => ({ … }))`: a store is what the function returns, and all that is ever set. */
export function openStore(place: Expression, args: Arguments, frame: Frame, line: number): Value | undefined {
  const makers = ofKind(args.positional[0] ?? [], "function").filter(
    ({ code }) => code.params[0]?.name === "set",
  );
  if (makers.length === 0) return undefined;
  const box = boxAt(place, frame);
  for (const target of makers) {
    const given: Arguments = {
      positional: [[{ kind: "setter", cell: box.element }], [box]],
      named: new Map(),
    };
    box.beneath = join(box.beneath, frame.flow.apply(target, given, frame, line));
  }
  return [box];
}

/** `passport()` of a signal, `useStore((state) => state.passport)`: a call of a value that is no function. */
export function readAccessor(value: Value, args: Arguments, frame: Frame, line: number): Value | undefined {
  const held = value.filter((atom) => (atom.kind === "data" || atom.kind === "object") && atom.isWrapped);
  if (held.length === 0) return undefined;
  const selectors = ofKind(args.positional[0] ?? [], "function");
  if (selectors.length === 0) return held;
  return join(...selectors.map((target) => give(target, held, frame, line)));
}

/** `<For each={list}>{(item) => …}</For>`, `<FlatList data={list} renderItem={…} />`: a list, and what is done with each. */
function renderOutside(props: Value, frame: Frame, line: number): void {
  readTable([props], frame, line);
  const lists = ofKind(props, "object").flatMap(({ fields }) =>
    [...fields].flatMap(([key, cell]) => (key === "children" ? [] : cell.value.filter(isListed))),
  );
  // `<Await resolve={promise}>{(value) => …}</Await>`: one value, and what is done with it.
  const single = ofKind(props, "object").flatMap(({ fields }) => fields.get("resolve")?.value ?? []);
  const elements = join(wrap(elementsOf(lists)), single.filter(isKept));
  for (const { name, target } of elements.length > 0 ? functionsIn(props, "", 2) : [])
    if (/^(children|render\w*|component|get[A-Z]\w*|keyExtractor|itemKey)$/.test(name))
      give(target, elements, frame, line);
}

/** A component is called with its properties; a context's provider fills the context. */
export function renderMarkup({ of, props, line }: Markup, frame: Frame): void {
  const given = frame.flow.evaluate(props, frame);
  const targets = frame.flow.evaluate(of, frame);
  if (targets.length === 0) renderOutside(given, frame, line);
  for (const target of targets) {
    if (target.kind === "function")
      frame.flow.apply(target, { positional: [given], named: new Map() }, frame, line);
    else if (target.kind === "class") {
      const cell = target.instance.fields.get("props") ?? { value: [] };
      target.instance.fields.set("props", cell);
      fill(cell, given);
    } else if (target.kind === "object" && target.isWrapped)
      fill(target.element, ofKind(given, "object")[0]?.fields.get("value")?.value ?? []);
  }
}
