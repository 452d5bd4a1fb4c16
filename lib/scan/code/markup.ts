// The code in files of markup: scripts of pages, and components of Vue, Svelte and Astro. Every part stays on its line.

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

// Components of Vue and Svelte: what their markup reads, as statements.
/** The start and the end of a tag, or an expression. */
const vueForm =
  /<([A-Za-z][\w-]*)|>|\{\{([\s\S]{1,1000}?)\}\}|(?<=\s)(v-[\w:.-]+|[:@#][\w:.-]+)="([^"]{1,1000})"/g;
const svelteForm = /<([A-Za-z][\w:.]*)|>|\{/g;
const vueLoop = /^\s*\(?\s*(\{[^}]*\}|\[[^\]]*\]|\w+)[^"]*?\s(?:in|of)\s([^"]+)$/;
const svelteLoop = /^#each\s(.+?)\sas\s+(\{[^}]*\}|\[[^\]]*\]|\w+)[^(]*(?:\((.*)\))?$/s;
const svelteThen = /^(?:#await\s(.+?)\sthen|:then)\s+(.+)$/s;

/** `translator-row` → `TranslatorRow`; the browser's own elements have no such names. */
const componentNamed = (tag: string): string | undefined =>
  /^[A-Z]|-/.test(tag) ? camelCase(`-${tag}`) : undefined;
const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Stands for what a framework does with a property: it is a name in the component's file. */
export const giveName = "$$give";
const giveProperty = (component: string, name: string, value: string) =>
  `;${giveName}(${component}, "${name}", ${value});`;

/** `{{ name }}`, `:href="url"`, `v-for="item in list"`. */
function readVue(directive: string | undefined, value: string, component: string | undefined): string {
  const [, item, list] = (directive === "v-for" && vueLoop.exec(value.replaceAll("\n", " "))) || [];
  // What is behind a reference is meant without `.value`.
  if (item) return `;for (const ${item} of ${list});for (const ${item} of (${list}).value);`;
  const [, property] = /^(?:v-bind)?:([\w-]+)$/.exec(directive ?? "") ?? [];
  if (property && component) return giveProperty(component, camelCase(property), value);
  if (directive?.startsWith("#")) return "";
  // A handler may be several statements.
  return directive?.startsWith("@") ? `;${value};` : `;(${value});`;
}

/** `{name}`, `{#each list as item (item.id)}`, `{#await promise}…{:then value}`. */
function readSvelte(inside: string, awaited: string): string {
  const [, list, item, key = ""] = svelteLoop.exec(inside) ?? [];
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
  let [open, at] = [1, start + 1];
  for (; open > 0 && at < limit; at++) open += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
  return at;
}

const countLines = (text: string) => text.split("\n").length;

function statementsOf(markup: string, isSvelte: boolean): string {
  let [code, from, awaited] = ["", 0, ""];
  let component: string | undefined;
  const add = (start: number, end: number, statement: string) => {
    code += blank(markup.slice(from, start)) + statement;
    code += "\n".repeat(Math.max(0, countLines(markup.slice(start, end)) - countLines(statement)));
    from = end;
  };
  for (const { 0: whole, 1: tag, 2: text, 3: directive, 4: value, index } of markup.matchAll(
    isSvelte ? svelteForm : vueForm,
  )) {
    if (index < from) continue;
    if (tag !== undefined || whole === ">") component = tag && componentNamed(tag);
    else if (!isSvelte) add(index, index + whole.length, readVue(directive, text ?? value ?? "", component));
    else {
      const end = endOfBrace(markup, index);
      const inside = markup.slice(index + 1, end - 1).trim();
      const [, name = /^\w+$/.test(inside) ? inside : undefined] =
        /\s(\w+)=["']?$/.exec(markup.slice(Math.max(from, index - 60), index)) ?? [];
      const given = component && name ? giveProperty(component, name, inside) : undefined;
      if (inside.startsWith("#await")) awaited = inside.slice("#await".length).replaceAll("\n", " ");
      add(index, end, given ?? readSvelte(inside, awaited));
    }
  }
  return code + blank(markup.slice(from));
}

/** The scripts of a component and, in the other lines, what its markup reads. */
function codeOfComponent(source: string, isSvelte: boolean): string {
  const read = statementsOf(withoutScripts(source), isSvelte).split("\n");
  return keepScripts(source)
    .split("\n")
    .map((line, index) => (line.trim() === "" ? read[index] : line))
    .join("\n");
}

export const isComponent = (file: string): boolean => /\.(vue|svelte)$/i.test(file);

export function codeOf(file: string, source: string): string {
  if (isComponent(file)) return codeOfComponent(source, /svelte$/i.test(file));
  if (/\.html?$/i.test(file)) return keepScripts(source);
  return file.endsWith(".astro") ? toComponent(source) : source;
}
