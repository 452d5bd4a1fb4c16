// Templates that a program renders: their text → code, which is run with what the program gives to them. Go's
// html/template and text/template, and Jinja, as Flask, FastAPI and Django have it.
import type { Expression, Pattern, Statement } from "../flow/code.ts";
import { newFrame } from "../flow/frame.ts";
import type { Frame, Template, Value } from "../flow/values/atoms.ts";
import { newScope, remember } from "../flow/values/values.ts";
import { nameAt } from "./reading.ts";

/** `{{ … }}` and `{% … %}`; the limit bounds the search for the end of a tag that has none. */
const action = /\{\{([\s\S]{0,500}?)\}\}|\{%([\s\S]{0,500}?)%\}/g;

type Tag = { content: string; isStatement: boolean; line: number };

function tagsOf(text: string): Tag[] {
  let [line, from] = [1, 0];
  return [...text.matchAll(action)].map(({ index, 1: expression, 2: statement }) => {
    line += text.slice(from, index).split("\n").length - 1;
    from = index;
    // A minus sign trims white space.
    const content = (statement ?? expression ?? "").replace(/^-|-$/g, "").trim();
    return { content, isStatement: statement !== undefined, line };
  });
}

const declared = (name: string): Pattern => ({ kind: "name", name, declares: true });

const memberAt = (of: Expression, keys: readonly string[], line: number): Expression =>
  keys.reduce<Expression>((held, key) => ({ kind: "member", of: held, key, line }), of);

const loop = (into: Pattern, over: Expression, body: Statement[], line: number): Statement => ({
  ...{ kind: "loop", into, over, body, line },
});

/** What stands open: its statements go where it ends. `dot`: the name of what `.` means in it. */
type Block = { body: Statement[]; dot: string; close(body: Statement[]): Statement[] };

const inline = (dot: string): Block => ({ body: [], dot, close: (body) => body });

/** Go: `.Passport.Score`, `$.Title`, `$item.Name`; a `.` alone is in no path. */
const goPath = /(\$\w*)?((?:\.[A-Za-z_]\w*)+)|(\$\w+)/g;

function readGo(text: string): Statement[] {
  const blocks: Block[] = [inline("$")];
  const top = () => blocks.at(-1)!;
  const pathsIn = (content: string, line: number): Expression[] =>
    [...content.replace(/"[^"]*"/g, "").matchAll(goPath)].map(([, root, path = "", alone]) =>
      memberAt(nameAt(alone ?? root ?? top().dot, line), path.split(".").slice(1), line),
    );
  for (const { content, line } of tagsOf(text)) {
    const [, keyword, rest = ""] = /^(\w+)\b([\s\S]*)$/.exec(content) ?? [];
    const paths = pathsIn(content.replace(/^[\s\S]*:=/, ""), line);
    if (keyword === "end") {
      const { body, close } = blocks.length > 1 ? blocks.pop()! : inline("$");
      top().body.push(...close(body));
    } else if (keyword === "range" || keyword === "with") {
      const over = paths[0] ?? nameAt(top().dot, line);
      const dot = `.${blocks.length}`;
      const variable = /(\$\w+)\s*:=/.exec(rest)?.[1];
      const bound: Statement[] = variable
        ? [{ kind: "bind", into: declared(variable), value: nameAt(dot, line), line }]
        : [];
      const list: Expression = keyword === "with" ? { kind: "list", items: [over], line } : over;
      blocks.push({ body: bound, dot, close: (body) => [loop(declared(dot), list, body, line)] });
    } else {
      const isCall = keyword === "template" || keyword === "block";
      const name = /"([^"]+)"/.exec(rest)?.[1];
      const given = [{ value: textAt(name ?? "", line) }, { value: paths[0] ?? nameAt(top().dot, line) }];
      const value: Expression = isCall
        ? { kind: "call", callee: nameAt("ExecuteTemplate", line), args: given, line }
        : { kind: "other", parts: paths, line };
      top().body.push({ kind: "do", value, line });
      if (keyword === "if" || keyword === "define" || keyword === "block") blocks.push(inline(top().dot));
    }
  }
  return blocks.flatMap(({ body }) => body);
}

/** Stands for `{% include %}`; no source code can have such a name. */
export const includeName = "<include>";

const textAt = (text: string, line: number): Expression => ({ kind: "text", parts: [text], line });

/** Jinja: `p.passport_profile["bio"]`. */
const jinjaPath = /(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[["']\w+["']\])*/g;
/** `credentials | sort(attribute="score")`, `people | selectattr("human_checkmark")`. */
const byAttribute = /^([\w.]+)[\s\S]*?\|\s*\w+\(\s*(?:attribute\s*=\s*)?["'](\w+)["']/;

function jinjaPaths(content: string, line: number): Expression[] {
  const plain = content.replace(/(?<!\[)(["']).*?\1(?!\])/g, "");
  return [...plain.matchAll(jinjaPath)].map(([path]) => {
    const [root = "", ...keys] = path.match(/\w+/g) ?? [];
    return memberAt(nameAt(root, line), keys, line);
  });
}

function readJinja(text: string): Statement[] {
  const blocks: Block[] = [inline("")];
  const add = (...statements: Statement[]) => blocks.at(-1)!.body.push(...statements);
  for (const { content, isStatement, line } of tagsOf(text)) {
    const [, keyword = "", rest = ""] = (isStatement && /^(\w+)\b\s*([\s\S]*)$/.exec(content)) || [];
    const [, names = "", over = ""] =
      (keyword === "for" && /^([\w\s,()]+?)\s+in\s+([\s\S]*)$/.exec(rest)) || [];
    const said = keyword === "for" ? over : keyword === "" ? content : rest;
    const [, sorted = "", attribute] = byAttribute.exec(said) ?? [];
    const [sortedList] = jinjaPaths(sorted, line);
    if (attribute && sortedList) {
      const read = memberAt(nameAt("<item>", line), [attribute], line);
      add(loop(declared("<item>"), sortedList, [{ kind: "do", value: read, line }], line));
    }
    const paths = jinjaPaths(said, line);
    if (/^end/.test(keyword)) {
      const { body, close } = blocks.length > 1 ? blocks.pop()! : inline("");
      add(...close(body));
    } else if (keyword === "for") {
      const items = names.split(",").map((name) => declared(name.replace(/\W/g, "")));
      const into: Pattern = items.length > 1 ? { kind: "items", items, rest: false } : items[0]!;
      const [list = nameAt("", line), ...tested] = paths;
      const test: Statement = { kind: "do", value: { kind: "other", parts: tested, line }, line };
      blocks.push({ body: [test], dot: "", close: (body) => [loop(into, list, body, line)] });
    } else if (/^(set|with)$/.test(keyword) && /^\w+\s*=/.test(rest)) {
      if (keyword === "with") blocks.push(inline(""));
      const [into, value] = [/^\w+/.exec(rest)![0], paths[1] ?? nameAt("", line)];
      add({ kind: "bind", into: declared(into), value, line });
    } else if (keyword === "include") {
      const name = /["']([^"']+)["']/.exec(rest)?.[1] ?? "";
      const args = [{ value: textAt(name, line) }];
      add({ kind: "do", value: { kind: "call", callee: nameAt(includeName, line), args, line }, line });
    } else {
      add({ kind: "do", value: { kind: "other", parts: paths, line }, line });
      if (/^(if|block|macro|with|filter|call|autoescape|trans)$/.test(keyword)) blocks.push(inline(""));
    }
  }
  return blocks.flatMap(({ body }) => body);
}

const read = new WeakMap<Template, Statement[]>();
const running = new Set<Template>();

/** Runs a template with variables. Templates that include each other in a circle end here. */
export function runTemplate(name: string, variables: Iterable<[string, Value]>, frame: Frame): void {
  const template = frame.flow.findTemplate(name);
  if (!template || running.has(template)) return;
  const reader = frame.module.language.id === "go" ? readGo : readJinja;
  const statements = remember(read, template, () => reader(template.text));
  const scope = newScope();
  for (const [variable, value] of variables) scope.names.set(variable, { value });
  running.add(template);
  try {
    frame.flow.run(statements, newFrame({ ...frame.module, file: template.file }, scope, frame));
  } finally {
    running.delete(template);
  }
}
