// Python, what its functions do with lists: map, reduce, chain and the like.
import type { Value } from "./scan-atoms.ts";
import { iterate } from "./scan-classes.ts";
import type { Expression } from "./scan-code.ts";
import type { Flow, Frame, Invocation } from "./scan-frame.ts";
import { checkNumberUse } from "./scan-hazards.ts";
import { orderedItems } from "./scan-items.ts";
import { join, newObject, ofKind } from "./scan-values.ts";

export const listOf = (element: Value): Value => [{ ...newObject(), element: { value: element } }];

export function tupleOf(items: readonly Value[]): Value {
  const tuple = newObject(true);
  for (const [index, value] of items.entries()) tuple.fields.set(String(index), { value });
  return [tuple];
}

export type Context = { invocation: Invocation; source: readonly Expression[]; frame: Frame; flow: Flow };

const callEach = (functions: Value, given: readonly Value[], { invocation, frame, flow }: Context): Value =>
  join(
    ...ofKind(functions, "function").map((target) =>
      flow.apply(target, { positional: given, named: new Map() }, frame, invocation.line),
    ),
  );

export function callOverList(context: Context): Value | undefined {
  const { invocation, source, frame, flow } = context;
  const { name, args, line } = invocation;
  const [first = [], second = []] = args.positional;
  const items = (value: Value) => iterate(value, frame, line, flow);
  switch (name) {
    case "map":
    case "imap":
    case "imap_unordered":
    case "takewhile":
    case "dropwhile":
    case "filter":
    case "filterfalse": {
      const made = callEach(first, args.positional.slice(1).map(items), context);
      // `map(str, parts)` keeps texts as they are.
      const isPlain = ofKind(first, "function").length === 0 && source[0]?.kind === "name";
      return /map$|unordered/.test(name) && !isPlain ? listOf(made) : second;
    }
    case "starmap":
      return listOf(
        join(...items(second).map((item) => callEach(first, orderedItems([item]) ?? [], context))),
      );
    case "reduce":
      return join(
        args.positional[2] ?? [],
        callEach(first, [args.positional[2] ?? [], items(second)], context),
      );
    case "chain":
      return listOf(join(args.rest ?? [], ...args.positional.map(items)));
    case "from_iterable":
      return listOf(items(items(first)));
    case "islice":
    case "cycle":
    case "batched":
      return name === "batched" ? listOf(first) : first;
    case "nlargest":
    case "nsmallest":
    case "groupby":
    case "max":
    case "min": {
      const over = /^n/.test(name) ? second : first;
      const key = args.named.get("key") ?? (name === "groupby" ? second : []);
      if (ofKind(key, "function").length === 0) return undefined;
      checkNumberUse(callEach(key, [items(over)], context), frame, line, flow);
      if (name === "groupby") return listOf(tupleOf([[], listOf(items(over))]));
      return /^n/.test(name) ? over : items(over);
    }
    default:
      return undefined;
  }
}
