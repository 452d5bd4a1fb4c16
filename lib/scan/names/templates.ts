// Templates: V1's fields in their expressions. They are not parsed: a variable is a record of V1 by the names that are read
// from it, or by the list that it is an item of.

import type { EndpointId } from "../../contract/endpoints.ts";
import { distinctiveNames, tellingNames } from "../../contract/v1/code-names.ts";
import { withoutScripts } from "../code/markup.ts";
import { type FieldNode, matchShape, nodeNamed, pageNumbers, recordWith } from "./fields.ts";

const templateFile = /\.(html?|jinja2?|j2|njk|liquid|twig|gohtml|tmpl|ejs|hbs)$/i;

export const isTemplate = (file: string): boolean => templateFile.test(file);

/** `row.passport_profile?.display_name`. `item`: the variable of a loop over it. */
export type TemplatePath = { steps: string[]; line: number; item?: string };

/** `{{ … }}`, `{% … %}`, `<% … %>`, `@if (…)`, `[href]="…"`, `x-text="…"`. */
const expression =
  /\{\{.*?\}\}|\{%.*?%\}|<%.*?%>|@(?:if|else|for|switch|case|let)\b[^{]*|(?<=\s)(?:[[(*:@]|v-|x-|ng-)[^\s=]*="[^"]*"/g;
/** `passport?.score`, and `passport()?.score` of a signal. */
const dottedPath = /(?<![\w.$])[A-Za-z_$][\w$]*(?:\(\))?(?:\??\.[A-Za-z_]\w*)+/g;

/** `{% for item in list %}`, `@for (item of list; …)`, `*ngFor="let item of list"`. */
const loops = [
  /\bfor\s+(?<item>\w+)\s+in\s+(?<list>[\w.?]+)/g,
  /(?:@for\s*\(|\blet\s)\s*(?<item>\w+)\s+of\s+(?<list>[\w.?]+)/g,
];

/** Of an Angular component only its template is left. */
function keepInline(text: string): string {
  const match = /@Component\([\s\S]{0,2000}?\btemplate:\s*`([^`]*)`/.exec(text);
  const [whole = "", inside = ""] = match ?? [];
  // Before the last quote.
  const start = (match?.index ?? 0) + whole.length - inside.length - 1;
  return text.slice(0, start).replace(/[^\n]/g, "") + inside;
}

export function readTemplate(file: string, text: string): TemplatePath[] {
  const isInline = /\.tsx?$/.test(file) && text.includes("@Component(");
  if (!isInline && !isTemplate(file)) return [];
  return (isInline ? keepInline(text) : withoutScripts(text))
    .split("\n")
    .flatMap((content, index): TemplatePath[] => {
      const line = index + 1;
      if (content.length > 2000) return [];
      const code = (content.match(expression) ?? []).join(" ");
      const split = (path: string) => path.split(/(?:\(\))?\??\./);
      return [
        ...(code.match(dottedPath) ?? []).map((path) => ({ steps: split(path), line })),
        ...loops
          .flatMap((form) => [...code.matchAll(form)])
          .flatMap(({ groups: { item, list } = {} }) =>
            item && list ? [{ steps: split(list), line, item }] : [],
          ),
      ];
    });
}

export const tellingSteps = (paths: readonly TemplatePath[]): string[] => [
  ...new Set(paths.flatMap(({ steps }) => steps.slice(1).filter((step) => tellingNames.has(step)))),
];

/** The last field of a path that V1 has. */
function follow([root = "", ...steps]: readonly string[], variables: ReadonlyMap<string, FieldNode>) {
  let node = variables.get(root);
  for (const step of steps) {
    const next = node?.children.get(step);
    if (node && !next) break;
    node = next;
  }
  return node;
}

export type TemplateRead = { node: FieldNode; line: number; evidence: string };

/** The fields of V1 that a template reads. */
export function resolvePaths(paths: readonly TemplatePath[], asked: ReadonlySet<EndpointId>): TemplateRead[] {
  const variables = new Map<string, FieldNode>();
  for (const [root, own] of Map.groupBy(paths, ({ steps }) => steps[0]!)) {
    const members = [...new Set(own.flatMap(({ steps }) => steps[1] ?? []))];
    const paged = pageNumbers.find(
      ({ current, last }) => members.includes(current) && members.includes(last),
    );
    const record =
      recordWith(members, distinctiveNames, asked) ??
      matchShape(members, asked) ??
      (paged ? nodeNamed(paged.holder, asked) : undefined);
    if (record) variables.set(root, record);
  }
  for (const { steps, item } of paths) {
    const { element } = (item !== undefined && follow(steps, variables)) || {};
    if (item !== undefined && element) variables.set(item, element);
  }
  return paths.flatMap(({ steps, line }) => {
    const node = steps.length > 1 ? follow(steps, variables) : undefined;
    return node && !node.isEnvelope ? [{ node, line, evidence: steps[0]! }] : [];
  });
}
