// The parser: ast-grep with the prebuilt grammars of its npm packages.
import type { SgNode } from "@ast-grep/napi";

export type SyntaxNode = SgNode;
export type LanguageId = "javascript" | "python" | "go";

const registered = Symbol.for("v1watch/grammars");

let parse: typeof import("@ast-grep/napi").parse | undefined;

/** The packages are optional: false where they are not installed. Called before anything is parsed. */
export async function loadParser(): Promise<boolean> {
  try {
    const [parser, python, go] = await Promise.all([
      import("@ast-grep/napi"),
      import("@ast-grep/lang-python"),
      import("@ast-grep/lang-go"),
    ]);
    // The parser takes further grammars once a process, and this module may be loaded twice in one.
    const marks = globalThis as { [registered]?: true };
    if (!marks[registered]) parser.registerDynamicLanguage({ python: python.default, go: go.default });
    marks[registered] = true;
    parse = parser.parse;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return false;
  }
}

const languageByExtension: Record<string, LanguageId> = {
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascript",
  ".ts": "javascript",
  ".mts": "javascript",
  ".cts": "javascript",
  ".tsx": "javascript",
  ".vue": "javascript",
  ".svelte": "javascript",
  ".astro": "javascript",
  ".html": "javascript",
  ".htm": "javascript",
  ".gs": "javascript",
  ".py": "python",
  ".pyw": "python",
  ".ipynb": "python",
  ".go": "go",
};

const extensionOf = (file: string) => file.slice(file.lastIndexOf(".")).toLowerCase();

export const languageOf = (file: string): LanguageId | undefined => languageByExtension[extensionOf(file)];

/** Blanks in place of a text, so that what comes after it keeps its line. */
const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** Of markup only the scripts are left. */
export function keepScripts(source: string): string {
  let kept = "";
  let from = 0;
  for (const match of source.matchAll(/<script\b[^>]*>/gi)) {
    const start = match.index + match[0].length;
    if (start < from) continue;
    const end = source.indexOf("</script", start);
    if (end < 0) break;
    kept += blank(source.slice(from, start)) + source.slice(start, end);
    from = end;
  }
  return kept + blank(source.slice(from));
}

/** Of markup everything but scripts, styles and comments is left. Where one has no end, nothing more is looked for. */
export function withoutScripts(source: string): string {
  let [kept, from] = ["", 0];
  for (const { index, 0: opening } of source.matchAll(/<(?:script|style)\b|<!--/gi)) {
    if (index < from) continue;
    const close = opening === "<!--" ? "-->" : `</${opening.slice(1)}`;
    const closed = source.indexOf(close, index);
    const end = closed < 0 ? -1 : source.indexOf(">", closed);
    if (end < 0) break;
    kept += source.slice(from, index) + blank(source.slice(index, end + 1));
    from = end + 1;
  }
  return kept + source.slice(from);
}

/** An Astro component is code between two lines of `---`, and markup: a function from its properties to the markup. */
function toComponent(source: string): string {
  const markup = withoutScripts(source).replace(/<!doctype[^>]{0,200}>/gi, blank);
  const start = "export default async (props) => { const Astro = { props };";
  const hasCode = /^\s*---\n[\s\S]*?\n---/.test(markup);
  const body = hasCode
    ? markup.replace(/^(\s*)---/, `$1${start}`).replace(/\n---/, "\nreturn (<>")
    : `${start} return (<>${markup}`;
  return `${body}</>); }`;
}

// The markup of Vue and Svelte as code: what it reads, as statements on the same lines.
const vueForm = /\{\{([\s\S]{1,1000}?)\}\}|(?<=\s)(v-[\w:.-]+|[:@#][\w:.-]+)="([^"]+)"/g;
const vueLoop = /^\s*\(?\s*(\{[^}]*\}|\[[^\]]*\]|\w+)[^"]*?\s(?:in|of)\s([^"]+)$/;

/** `{{ name }}`, `:href="url"`, `v-for="item in list"`. */
const readVue = (_: string, text: string | undefined, directive: string, value: string): string => {
  const [, item, list] = (directive === "v-for" && vueLoop.exec(value)) || [];
  // What is behind a reference is meant without `.value`.
  if (item) return `;for (const ${item} of ${list});for (const ${item} of (${list}).value);`;
  return directive?.startsWith("#") ? "" : `;(${text ?? value});`;
};

const svelteEach = /^#each\s(.+?)\sas\s+(\{[^}]*\}|\[[^\]]*\]|\w+)[^(]*(?:\((.*)\))?$/s;
const svelteThen = /^(?:#await\s(.+?)\sthen|:then)\s+(.+)$/s;

/** `{name}`, `{#each list as item (item.id)}`, `{#await promise}…{:then value}`. */
function readSvelte(inside: string, awaited: string): string {
  const [, list, item, key = ""] = svelteEach.exec(inside) ?? [];
  if (item) return `;for (const ${item} of ${list});${key && `(${key});`}`;
  const [, promise = awaited, value] = svelteThen.exec(inside) ?? [];
  if (value) return `;const ${value} = ${promise};`;
  if (inside.startsWith("@const")) return `;${inside.slice(1)};`;
  const read = inside.replace(/^(?:\.\.\.|[#:@/]\w+(?:\s+if\b)?)/, "");
  return read.trim() === "" ? "" : `;(${read});`;
}

const maxExpressionLength = 1000;

/** What comes after a brace and all that it holds. */
function endOfBrace(text: string, start: number): number {
  const limit = Math.min(text.length, start + maxExpressionLength);
  let open = 1;
  let at = start + 1;
  for (; open > 0 && at < limit; at++) open += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
  return at;
}

function statementsOfMarkup(file: string, markup: string): string {
  const isSvelte = file.toLowerCase().endsWith(".svelte");
  let [code, from, awaited] = ["", 0, ""];
  for (const match of markup.matchAll(isSvelte ? /\{/g : vueForm)) {
    if (match.index < from) continue;
    const end = isSvelte ? endOfBrace(markup, match.index) : match.index + match[0].length;
    const inside = markup.slice(match.index + 1, end - 1).trim();
    code += blank(markup.slice(from, match.index));
    code += isSvelte ? readSvelte(inside, awaited) : readVue(match[0], match[1], match[2]!, match[3]!);
    if (inside.startsWith("#await")) awaited = inside.slice("#await".length);
    from = end;
  }
  return code + blank(markup.slice(from));
}

/** SvelteKit: the modules whose `load` makes the `data` of a page. */
export function loadersOf(file: string): string[] {
  const [, page] = /\+(page|layout)\.svelte$/.exec(file) ?? [];
  return page ? [`./+${page}.server`, `./+${page}`] : [];
}

/** The scripts of a component and, in the other lines, what its markup reads. */
function codeOfComponent(file: string, source: string): string {
  const read = statementsOfMarkup(file, withoutScripts(source)).split("\n");
  return keepScripts(source)
    .split("\n")
    .map((line, index) => (line.trim() === "" ? read[index] : line))
    .join("\n");
}

/** A grammar for each extension: in a .ts file `<T>x` is a cast, in a .tsx file it is markup. */
function grammarOf(file: string): string {
  const extension = extensionOf(file);
  const language = languageByExtension[extension];
  if (language && language !== "javascript") return language;
  return [".ts", ".mts", ".cts", ".vue", ".svelte"].includes(extension) ? "TypeScript" : "Tsx";
}

export function parseSource(file: string, source: string): SyntaxNode {
  if (!parse) throw new Error("the parser is not loaded");
  const isAstro = file.endsWith(".astro");
  const code = /\.(vue|svelte)$/i.test(file)
    ? codeOfComponent(file, source)
    : /\.html?$/i.test(file)
      ? keepScripts(source)
      : isAstro
        ? toComponent(source)
        : source;
  return parse(grammarOf(file), code).root();
}

export const lineOf = (node: SyntaxNode): number => node.range().start.line + 1;

const loops = /^(for|while|do|for_in)_statement$/;

/** `continue` where the loop tries again, not where it goes through a list. */
export function triesAgain(node: SyntaxNode): boolean {
  const loop = node.ancestors().find((ancestor) => loops.test(String(ancestor.kind())));
  if (!loop || loop.kind() === "for_in_statement") return false;
  if (loop.children().some((child) => child.kind() === "range_clause")) return false;
  const over = loop.field("right");
  return !over || /^range\(/.test(over.text());
}

/** Named children without comments. */
export const partsOf = (node: SyntaxNode): SyntaxNode[] =>
  node.namedChildren().filter((child) => child.kind() !== "comment");
