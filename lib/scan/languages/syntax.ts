// The parser: ast-grep with the prebuilt grammars of its npm packages.
import goGrammar from "@ast-grep/lang-go";
import pythonGrammar from "@ast-grep/lang-python";
import { parse, registerDynamicLanguage, type SgNode } from "@ast-grep/napi";
import type { Language } from "../flow/code.ts";

export type SyntaxNode = SgNode;

const registered = Symbol.for("v1watch/grammars");

/** The parser takes further grammars once a process, and this module may be loaded twice in one. */
function registerGrammars(): void {
  const marks = globalThis as { [registered]?: true };
  if (marks[registered]) return;
  registerDynamicLanguage({ python: pythonGrammar, go: goGrammar });
  marks[registered] = true;
}

const languageByExtension: Record<string, Language> = {
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
  ".py": "python",
  ".go": "go",
};

const extensionOf = (file: string) => file.slice(file.lastIndexOf(".")).toLowerCase();

export const languageOf = (file: string): Language | undefined => languageByExtension[extensionOf(file)];

/** Markup becomes blanks, so that the scripts keep their lines. */
function keepScripts(source: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, " ");
  let kept = "";
  let from = 0;
  for (const match of source.matchAll(/<script\b[^>]*>/gi)) {
    const start = match.index + match[0].length;
    const end = source.indexOf("</script", start);
    if (start < from || end < 0) continue;
    kept += blank(source.slice(from, start)) + source.slice(start, end);
    from = end;
  }
  return kept + blank(source.slice(from));
}

/** A grammar for each extension: in a .ts file `<T>x` is a cast, in a .tsx file it is markup. */
function grammarOf(file: string): string {
  const extension = extensionOf(file);
  if (extension === ".py") return "python";
  if (extension === ".go") return "go";
  return [".ts", ".mts", ".cts", ".vue", ".svelte"].includes(extension) ? "TypeScript" : "Tsx";
}

export function parseSource(file: string, source: string): SyntaxNode {
  registerGrammars();
  const isMarkup = /\.(vue|svelte)$/i.test(file);
  return parse(grammarOf(file), isMarkup ? keepScripts(source) : source).root();
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
