// Go: functions of packages that go through lists and maps: slices, maps, lo and their like.
import type { FunctionAtom, ObjectAtom, Value } from "./scan-atoms.ts";
import type { Expression } from "./scan-code.ts";
import type { Flow, Frame, Invocation } from "./scan-frame.ts";
import { elementsOf, itemAt } from "./scan-items.ts";
import { dereference, fill, join, newObject, ofKind } from "./scan-values.ts";

/** A list of the same items, or a map with them under some key. */
const keeps =
  /^(Filter|Reject|Clone|Reverse|Sort(ed|By)?\w*|Compact\w*|Uniq\w*|Delete\w*|Collect|Take\w*|Drop\w*|Shuffle|Subset|Slice|Clip|Grow|Insert|Concat|All|Backward|Values|KeyBy|PickBy|OmitBy|FromSlice|ToSlice\w*|Samples|Interleave|Union|Without\w*|Flatten|IndexBy)$/;
const picks = /^(Find\w*|First\w*|Last\w*|(Max|Min)(By|Func)?|Nth\w*|Sample|Get\w*OrElse|ValueOr)$/;
const divides = /^(Chunk\w*|GroupBy\w*|PartitionBy|Partition|Window)$/;
const maps =
  /^(Map|FlatMap|FilterMap|MapValues|MapToSlice|RejectMap|UniqMap|Times|Associate\w*|SliceToMap|ToMap)$/;

const isList = (atom: Value[number]): boolean =>
  atom.kind === "data"
    ? atom.node.element !== undefined
    : atom.kind === "object" && !atom.fields.has("<base>");

const listOf = (element: Value, more: Partial<ObjectAtom> = {}): Value => [
  { ...newObject(), ...more, element: { value: element } },
];

/** What a callback gets of an item: the accumulator first, then the item, then its place. */
function give(target: FunctionAtom, name: string, lists: Value, items: Value, start: Value): Value[] {
  const { params } = target.code;
  if (/^Reduce|^Fold/.test(name)) return [start, items];
  const isPair = /(Func|By)$/.test(name) && /^(Sort|Max|Min|Compact|IsSorted|Equal|Merge)/.test(name);
  const isMap =
    ofKind(lists, "object").some(({ isTuple }) => !isTuple) && /^(Map|Pick|Omit|Filter)/.test(name);
  return params.map((_, index) => (index === 0 || isPair || isMap ? items : []));
}

function resultOf(name: string, items: Value, made: Value): Value | undefined {
  if (maps.test(name)) {
    const isPair = /^(Associate|SliceToMap|ToMap)/.test(name);
    const each = isPair ? itemAt(made, 1) : /^(Filter|Reject)Map$/.test(name) ? itemAt(made, 0) : made;
    return listOf(name === "FlatMap" ? elementsOf(each) : each);
  }
  if (/^(Reduce|Fold)/.test(name)) return made;
  // An iterator gives its items first, as a channel does.
  if (name === "Values") return listOf(items, { isChannel: true });
  if (divides.test(name)) return listOf(listOf(items), name.startsWith("Chunk") ? { isChannel: true } : {});
  if (picks.test(name)) return items;
  return keeps.test(name) ? listOf(name === "Flatten" ? elementsOf(items) : items) : undefined;
}

/** Undefined where it is no function of such a package, or has nothing of V1 to go through. */
export function callGoList(
  { callee, name, args, line }: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const [first = [], second = [], third = []] = args.positional;
  if (name === "copy" && callee.kind === "name" && source.length === 2) {
    for (const list of ofKind(dereference(first), "object")) fill(list.element, elementsOf(second));
    return [];
  }
  const isOutside =
    callee.kind === "member" && callee.of.kind === "name" && frame.module.outside.has(callee.of.name);
  const lists = dereference(name === "Concat" ? join(...args.positional) : first).filter(isList);
  const items = elementsOf(lists);
  if (!isOutside || items.length === 0) return undefined;
  const functions = args.positional.flatMap((value) => ofKind(value, "function"));
  const made = functions.map((target) => {
    const positional = give(target, name, lists, items, third);
    return flow.apply(target, { positional, named: new Map() }, frame, line);
  });
  return resultOf(name, items, join(...made)) ?? (functions.length > 0 ? [] : undefined);
}
