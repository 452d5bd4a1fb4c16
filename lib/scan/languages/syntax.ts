// The parser: ast-grep with the prebuilt grammars of its npm packages.
import type { SgNode } from "@ast-grep/napi";
import { codeOf } from "./markup.ts";

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

/** A grammar for each extension: in a .ts file `<T>x` is a cast, in a .tsx file it is markup. */
function grammarOf(file: string): string {
  const extension = extensionOf(file);
  const language = languageByExtension[extension];
  if (language && language !== "javascript") return language;
  return [".ts", ".mts", ".cts", ".vue", ".svelte"].includes(extension) ? "TypeScript" : "Tsx";
}

export function parseSource(file: string, source: string): SyntaxNode {
  if (!parse) throw new Error("the parser is not loaded");
  return parse(grammarOf(file), codeOf(file, source)).root();
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
