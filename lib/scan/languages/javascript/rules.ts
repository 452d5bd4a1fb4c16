// JavaScript and TypeScript: what the interpreter asks about them, and how their well-known libraries process values.
import { giveAnswer } from "../../flow/calls/callbacks.ts";
import { enter } from "../../flow/values/access.ts";
import type { Language } from "../../flow/values/atoms.ts";
import { foreign, newObject, ofKind } from "../../flow/values/values.ts";
import { readByKey } from "./field-names.ts";
import { addFileRoute, carriedBy, feedPage, openResolvers, readLoaded, readTable } from "./handlers.ts";
import { asksDatabase, makeSchema, renderMarkup } from "./libraries.ts";
import { keepValue, openComponent, openStore, readAccessor, settle } from "./stores.ts";

export const javascript: Language = {
  id: "javascript",
  keys: "exact",
  readsAnyKey: true,
  methods: { constructors: ["constructor"], call: [], get: [] },
  answerMethods:
    /^(json|text|data|read|getData|arrayBuffer|blob|content|clone|toString|on|retry|set|query|header|end|body)$/,
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
    if (name === "Promise") return settle(args, frame, line);
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
    return readByKey(invocation, frame) ?? keepValue(invocation, frame);
  },
  parameter: carriedBy,
  render: renderMarkup,
  openObject(object, frame, line) {
    openComponent(object, frame, line);
    openResolvers(object, frame);
  },
  beginModule(module, flow) {
    feedPage(module, flow);
    addFileRoute(module, flow);
  },
};
