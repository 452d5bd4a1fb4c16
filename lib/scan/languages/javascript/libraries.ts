// JavaScript and TypeScript: what the interpreter asks about them; components, schemas and databases of well-known
// libraries.
import { functionsIn, give, giveAnswer, isKept, isListed } from "../../flow/calls/callbacks.ts";
import { databases } from "../../flow/calls/requests.ts";
import { type Expression, walk } from "../../flow/code.ts";
import { rootName } from "../../flow/hazards.ts";
import { enter, enterPath } from "../../flow/values/access.ts";
import type { ClassAtom, Frame, Hook, Invocation, Language, Value } from "../../flow/values/atoms.ts";
import {
  elementsOf,
  fill,
  fillField,
  foreign,
  given,
  join,
  newClass,
  newObject,
  ofKind,
  remember,
  wrap,
} from "../../flow/values/values.ts";
import { giveName } from "../markup.ts";
import { readByKey } from "./field-names.ts";
import {
  addFileRoute,
  carriedBy,
  feedPage,
  makeColumn,
  openResolvers,
  readLoaded,
  readTable,
  takesRow,
} from "./handlers.ts";
import { keepValue, openComponent, openStore, readAccessor, settle } from "./stores.ts";

/** `<For each={list}>{(item) => …}</For>`, `<FlatList data={list} renderItem={…} />`: a list, and what is done with each. */
function renderOutside(props: Value, source: Expression, frame: Frame, line: number): void {
  readTable([props], frame, line);
  const lists = ofKind(props, "object").flatMap(({ fields }) =>
    [...fields].flatMap(([key, cell]) => (key === "children" ? [] : cell.value.filter(isListed))),
  );
  // `<Await resolve={promise}>{(value) => …}</Await>`: one value, and what is done with it.
  const single = ofKind(props, "object").flatMap(({ fields }) => fields.get("resolve")?.value ?? []);
  const elements = join(wrap(elementsOf(lists)), single.filter(isKept));
  for (const { name, target } of elements.length > 0 ? functionsIn(props, "", 2) : [])
    if (takesRow.test(name)) give(target, elements, frame, line);
  // `<BarChart data={list}><Bar dataKey="score" /></BarChart>`
  walk(elements.length > 0 ? source : undefined, (one) => {
    if (one.kind !== "markup" || one.props.kind !== "object") return;
    for (const { key = "", value } of one.props.entries) {
      if (!/^(\w+Key|\w*[fF]ield|accessor|dataIndex)$/.test(key)) continue;
      const chosen = frame.flow.evaluate(value, frame);
      for (const target of ofKind(chosen, "function")) give(target, elements, frame, value.line);
      for (const { text } of ofKind(chosen, "text"))
        enterPath(elements, { steps: text.split(".") }, frame, value.line);
    }
  });
}

/** A component is called with its properties; a context keeps its `value` for whoever uses the context. */
const renderMarkup: Hook<"render"> = ({ of, props, line }, frame) => {
  const value = frame.flow.evaluate(props, frame);
  const targets = frame.flow.evaluate(of, frame);
  if (targets.length === 0) renderOutside(value, props, frame, line);
  for (const target of targets) {
    if (target.kind === "function") frame.flow.apply(target, given(value), frame, line);
    if (target.kind === "object" && target.isWrapped)
      for (const { fields } of ofKind(value, "object"))
        fill(target.element, fields.get("value")?.value ?? []);
  }
};

const schemas = new WeakMap<Expression, ClassAtom>();
const builders = /^(z|zod|v|yup|Joi|t|S|Schema|Type)$/;

/** zod and its like: `z.object({ … })` is a type that a response is decoded into; `z.array(schema)` is made of it. */
function makeSchema(
  { callee, name, receiver = [], args, line }: Invocation,
  frame: Frame,
): Value | undefined {
  const held = [receiver, ...args.positional].flatMap((value) => ofKind(value, "class"));
  const [shape] = ofKind(args.positional.at(0) ?? [], "object");
  const isBuilder = builders.test(rootName(callee));
  const makes = isBuilder && /^(object|strictObject|looseObject|type|Struct|interface|Object)$/.test(name);
  if (makes && shape) {
    const declared = [...shape.fields].map(([key, cell]) => ({
      ...{ key, name: key, type: "schema", line: cell.site?.line ?? line, of: ofKind(cell.value, "class") },
    }));
    return [remember(schemas, callee, () => ({ ...newClass("", declared, frame), isChecked: true }))];
  }
  const passes =
    isBuilder ||
    /^(optional|nullable|nullish|partial|passthrough|strip|strict|array|default|catch|loose|transform|refine)$/.test(
      name,
    );
  return passes && held.length > 0 && !/[pP]arse|decode|validate/.test(name) ? held : undefined;
}

// The team's own database: its rows may be called as V1's fields are, and are the team's all the same.
const statement = /^\s*(select\b.*\bfrom|insert\s+into|update\b.*\bset|delete\s+from|with\b.*\bas\s*\()/is;

/** Mappers' own words, which nobody else uses. */
const finds =
  /^(find(Many|Unique|First|UniqueOrThrow|FirstOrThrow|OneBy|OneByOrFail|ByPk|AndCount\w*|OneAnd\w+|ByIdAnd\w+)|createMany|updateMany|selectFrom|\$queryRaw\w*|getRepository)$/;
const queries =
  /^(query|execute|select|from|find|findOne|findAll|findById|collection|table|insert\w*|update|upsert|create|raw|where|aggregate|one|oneOrNone|many|any)$/;

/** A query, by its text or by the words of a mapper. */
function asksDatabase({ callee, name, receiver = [], args }: Invocation): boolean {
  const given = args.positional.flat();
  const inside = ofKind(given, "object").flatMap(({ fields }) =>
    ["text", "sql"].flatMap((key) => [...(fields.get(key)?.value ?? [])]),
  );
  if (ofKind([...given, ...inside], "text").some(({ text }) => statement.test(text))) return true;
  if (callee.kind !== "member" || receiver.length > 0) return false;
  const isDatabase = databases.test(rootName(callee)) || rootName(callee) === "pool";
  return finds.test(name) || (isDatabase && queries.test(name));
}

export const javascript: Language = {
  id: "javascript",
  keys: "exact",
  readsAnyKey: true,
  methods: { constructors: ["constructor"], call: [], get: [] },
  answerMethods:
    /^(json|text|data|read|getData|getContentText|arrayBuffer|blob|content|clone|toString|on|retry|set|query|header|end|body)$/,
  boxedBy:
    /^(to(Signal|Refs?)|safeParse|parseAsync|decode|validate|allSettled|ok|Ok|okAsync|right|some|succeed|just|fromPromise|fromNullable|tryCatch)$/,
  callbackDepth: 3,
  callFirst(invocation, frame) {
    const { callee, name, receiver = [], args, line, call, targets } = invocation;
    if (name === "require" && callee.kind === "name") {
      const [path] = ofKind(args.positional[0] ?? [], "text");
      const module = frame.flow.importModule(frame.module, path?.text ?? "");
      return module ? [{ ...newObject(), fields: module.exported.names }] : [];
    }
    if (name === giveName) {
      for (const { text } of ofKind(args.positional[1] ?? [], "text"))
        for (const { fields } of ofKind(args.positional[0] ?? [], "object"))
          fillField({ fields }, text, args.positional[2] ?? []);
      return [];
    }
    // A component's properties are names of its own file.
    if (/^(defineProps|\$props)$/.test(name))
      return [{ ...newObject(), fields: frame.module.exported.names }];
    if (name === "Promise") return settle(args, frame, line);
    // Fastify: `app.decorate("client", client)`
    for (const { text } of name === "decorate" ? ofKind(args.positional[0] ?? [], "text") : [])
      fillField({ fields: frame.flow.attributes }, text, ofKind(args.positional[1] ?? [], "object"));
    // `this.passport()`: what an object of the tree has under the name.
    const objects = callee.kind === "member" ? ofKind(receiver, "object") : [];
    const held = objects.length > 0 ? enter(objects, name, frame, line) : [];
    return (
      openStore(call, args, frame, line) ??
      readAccessor(callee.kind === "member" ? held : targets, args, frame, line) ??
      readLoaded(name, receiver, frame, frame.flow) ??
      makeSchema(invocation, frame)
    );
  },
  callLast(invocation, frame) {
    const { args, line } = invocation;
    if (asksDatabase(invocation)) return giveAnswer(args, [foreign], frame, line);
    if (args.positional.length > 0) readTable(args.positional, frame, line);
    return makeColumn(invocation, frame) ?? readByKey(invocation, frame) ?? keepValue(invocation, frame);
  },
  parameter: carriedBy,
  render: renderMarkup,
  openObject(object, frame, line) {
    openComponent(object, frame, line);
    openResolvers(object, frame, line);
  },
  beginModule(module, flow) {
    feedPage(module, flow);
    addFileRoute(module, flow);
  },
};
