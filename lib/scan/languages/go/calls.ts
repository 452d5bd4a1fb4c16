// Go: how its functions and well-known packages process values, and what the interpreter asks about it.
import { ask } from "../../flow/calls/requests.ts";
import { tellHazard } from "../../flow/frame.ts";
import { findPlace } from "../../flow/statements/binding.ts";
import { enterPath, type Path } from "../../flow/values/access.ts";
import type { Cell, Frame, Invocation, Language, Value } from "../../flow/values/atoms.ts";
import { formatText } from "../../flow/values/texts.ts";
import {
  concatenate,
  dataOf,
  dereference,
  elementsOf,
  fill,
  given,
  join,
  ofKind,
  plainText,
  tupleOf,
} from "../../flow/values/values.ts";
import { trapOf } from "../../names/fields.ts";
import { isTemplate } from "../../names/templates.ts";
import { nameAt } from "../reading.ts";
import { runTemplate } from "../templates.ts";
import { cellsOf, checkBranch, checkStep, decode } from "./responses.ts";
import { findMethods } from "./types.ts";

/** Texts and answers that are written piece by piece: strings.Builder, bytes.Buffer, io.Copy. */
function write({ callee, name, args, source }: Invocation, frame: Frame): Value | undefined {
  const [first = [], ...rest] = args.positional;
  if (/^(Copy|CopyN|ReadFrom|Fprint(f|ln)?)$/.test(name) && name !== "ReadFrom") {
    const isText = name.startsWith("F");
    const made = name === "Fprintf" ? formatText(rest[0] ?? [], rest.slice(1), new Map()) : concatenate(rest);
    for (const cell of cellsOf(first, source[0], frame)) {
      if (isText) append(cell, made);
      else fill(cell, dataOf(rest[0] ?? []));
    }
    return undefined;
  }
  if (callee.kind !== "member" || !/^(Write(String|Byte|Rune)?|ReadFrom)$/.test(name)) return undefined;
  const cell = findPlace(callee.of, frame);
  if (!cell) return undefined;
  if (name === "ReadFrom") fill(cell, dataOf(first));
  else append(cell, first);
  return [];
}

function append(cell: Cell, text: Value): void {
  const before = ofKind(cell.value, "text");
  cell.value = concatenate([before.length > 0 ? before : [plainText("")], text]);
}

const readers =
  /^(Get\w*|Must\w*|Path|PathExists|Search|Lookup\w*|Query|Exists|Array\w*|Each|ForEach|Map|Value|At|Index|Interface|ObjectEach|Children\w*|S|Data)$/;

/** `passport_credentials.#(score>0)#.type`: the names on the way, without positions and filters. */
const stepsOf = (path = ""): string[] =>
  path
    .replace(/^\$\./, "")
    .split(/[./]/)
    .filter((part) => !/^(#.*|\*|\d*|\[\])$/.test(part));

/** gjson, jsonparser, gabs and their like: `Get(body, "passport.score")`, `body.Get("passport").Get("score")`. */
function readPaths(invocation: Invocation, frame: Frame): Value | undefined {
  const { name, receiver = [], args, line, source } = invocation;
  const subjects = [receiver, ...args.positional].map((value) => dataOf(value));
  const data = subjects.find((atoms) => atoms.length > 0);
  if (!data || !readers.test(name)) return undefined;
  const choices = args.positional.map((value) => ofKind(value, "text"));
  const texts = choices.map(([atom]) => atom?.text);
  if (/^GetMany/.test(name))
    return tupleOf(
      ...texts
        .map((text, index) => enterPath(data, { steps: stepsOf(text) }, frame, source[index]?.line ?? line))
        .slice(1),
    );
  // What a filter reads: `#(score>0)#`.
  for (const text of texts)
    for (const { index, 1: field = "" } of text?.matchAll(/#\((\w+)/g) ?? [])
      enterPath(data, { steps: [...stepsOf(text?.slice(0, index)), field] }, frame, line);
  const pathAt = (index: number): Path => {
    const chosen = choices.map((atoms) => atoms[index] ?? atoms[0]);
    const steps = chosen.flatMap((atom) => stepsOf(atom?.text));
    return { steps, via: chosen.find((atom) => atom?.via)?.via };
  };
  const paths = Math.max(1, ...choices.map(({ length }) => length));
  const found = join(
    ...Array.from({ length: paths }, (_, index) => enterPath(data, pathAt(index), frame, line)),
  );
  const functions = args.positional.flatMap((value) => ofKind(value, "function"));
  for (const target of functions) {
    const items = elementsOf(found);
    frame.flow.apply(target, given(...target.code.params.map(() => items)), frame, line);
  }
  return found;
}

const parsers =
  /^(Atoi|Parse(Int|Uint|Float)|Sscanf?|Sscanln|To(Int|Uint|Float)(32|64)?|NewFromString|SetString)$/;
const numberMethods = /^(Int|Uint|Float)(32|64)?$/;

/** `strconv.Atoi(s.FollowerCount)`, `social.Get("follower_count").Int()` */
function checkDigits({ name, receiver = [], args, line }: Invocation, frame: Frame): void {
  const parsed = parsers.test(name) ? (args.positional[0] ?? []) : numberMethods.test(name) ? receiver : [];
  const digits = dataOf(parsed).filter(({ node }) => trapOf(node) === "string-number");
  tellHazard(frame, line, "string-number", digits);
}

const conversions = /^(string|any|RawMessage|Number)$/;

const makesTemplate = /^(New|Must|Funcs|Option|Parse(Files|FS|Glob)|Lookup)$/;

/**
 * `template.Must(template.ParseFiles("alumnus.html"))` is known by the file's name;
 * `views.ExecuteTemplate(w, "alumnus.html", data)`: what it is executed with is `.` and `$`.
 */
function renderTemplate({ name, receiver = [], args }: Invocation, frame: Frame): Value | undefined {
  const files = ofKind([...receiver, ...args.positional.flat()], "text");
  if (makesTemplate.test(name)) {
    const templates = files.filter(({ text }) => isTemplate(text));
    return templates.length > 0 ? templates : undefined;
  }
  if (!/^Execute(Template)?$/.test(name)) return undefined;
  const data = args.positional.at(-1) ?? [];
  for (const { text } of files) runTemplate(text, [["$", data]], frame);
  return undefined;
}

/** Undefined where the call means nothing of its own in Go. */
function callFirst(invocation: Invocation, frame: Frame): Value | undefined {
  const { callee, name, receiver = [], args, line, source } = invocation;
  const [first = []] = args.positional;
  if (conversions.test(name) && args.positional.length === 1 && callee.kind === "name")
    return dereference(first);
  if (name === "append" && source[0]?.kind === "list" && args.positional.length > 1)
    return lengthen(args.positional);
  checkDigits(invocation, frame);
  // carlmjohnson/requests: `builder.Path("/api/v1/passports").ToJSON(&out).Fetch(ctx)`
  if (/^Pathf?$/.test(name) && callee.kind === "member") {
    const path = formatText(first, args.positional.slice(1), new Map());
    return ask({ callee: nameAt("get", line), receiver, args: given(path) }, [], frame, line);
  }
  return (
    renderTemplate(invocation, frame) ??
    decode(invocation, frame) ??
    write(invocation, frame) ??
    readPaths(invocation, frame)
  );
}

/** `append([]string{"api", "v1"}, parts...)`: in their order. */
function lengthen([first = [], ...rest]: readonly Value[]): Value {
  const items = ofKind(first, "object").flatMap(({ fields }) =>
    [...fields.values()].map(({ value }) => value),
  );
  return tupleOf(...items, ...rest);
}

export const go: Language = {
  id: "go",
  keys: "any-case",
  readsAnyKey: false,
  methods: { constructors: [], call: [], get: [] },
  // All but what a response has beside its body.
  answerMethods: /^(?!(Err|Error|Status)$)/,
  callbackDepth: 3,
  callFirst,
  findMethods,
  checkStep,
  checkBranch,
};
