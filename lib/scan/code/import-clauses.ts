// The names that a file takes from others and hands on, found by regular expressions.
import { posix } from "node:path";
import type { Language } from "./syntax.ts";

export type Clauses = {
  /** By local name: the name under which it is exported, and the modules that may export it. */
  imports: Map<string, { name: string; specifiers: readonly string[] }>;
  /** `export { a as b }`, `export { a } from "./c"`. By exported name: the local name. */
  exports: Map<string, { name: string; specifier: string | undefined }>;
  /** `export * from "./b"`, `from b import *`. */
  passedOn: string[];
};

/** The name of a whole module. */
const wholeModule = "*";

const namesIn = (clause: string, separator: string): { name: string; local: string }[] =>
  clause.split(",").flatMap((part) => {
    const [name = "", local = name] = part
      .replace(/^\s*type\s+/, "")
      .split(separator)
      .map((word) => word.trim());
    return /^[\w$]+$/.test(name) && /^[\w$]+$/.test(local) ? [{ name, local }] : [];
  });

function readJavascript(text: string, { imports, exports, passedOn }: Clauses): void {
  const take = (local: string, name: string, specifier: string) =>
    imports.set(local, { name, specifiers: [specifier] });
  for (const [, clause = "", specifier = ""] of text.matchAll(
    /\bimport\s+(?:type\s+)?([\w$*{][^;"'`]{0,2000}?)\s*from\s*["']([^"'\n]+)["']/g,
  )) {
    const [, inside = ""] = /\{([^}]*)\}/.exec(clause) ?? [];
    for (const { name, local } of namesIn(inside, " as ")) take(local, name, specifier);
    for (const part of clause.replace(/\{[^}]*\}/, "").split(",")) {
      const [, whole] = /\*\s*as\s+([\w$]+)/.exec(part) ?? [];
      if (whole) take(whole, wholeModule, specifier);
      else if (/^\s*[\w$]+\s*$/.test(part)) take(part.trim(), "default", specifier);
    }
  }
  for (const [, inside, whole, specifier = ""] of text.matchAll(
    /\b(?:const|let|var)\s+(?:\{([^}]*)\}|([\w$]+))\s*=\s*(?:await\s+)?(?:require|import)\(\s*["']([^"'\n]+)["']/g,
  )) {
    for (const { name, local } of namesIn(inside ?? "", ":")) take(local, name, specifier);
    if (whole) take(whole, "default", specifier);
  }
  for (const [, inside = "", specifier] of text.matchAll(
    /\bexport\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*["']([^"'\n]+)["'])?/g,
  ))
    for (const { name, local } of namesIn(inside, " as ")) exports.set(local, { name, specifier });
  for (const [, specifier = ""] of text.matchAll(/\bexport\s*\*\s*from\s*["']([^"'\n]+)["']/g))
    passedOn.push(specifier);
}

function readPython(text: string, { imports, passedOn }: Clauses): void {
  for (const [, module = "", inside, line = ""] of text.matchAll(
    /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#]+))/gm,
  )) {
    const clause = (inside ?? line).replace(/#[^\n]*/g, "");
    if (clause.trim() === "*") passedOn.push(module);
    for (const { name, local } of namesIn(clause.replace(/[ \t\n]+as[ \t\n]+/g, " as "), " as "))
      imports.set(local, {
        name,
        specifiers: [module.endsWith(".") ? module + name : `${module}.${name}`, module],
      });
  }
  for (const [, clause = ""] of text.matchAll(/^[ \t]*import[ \t]+([\w., \t]+)$/gm))
    for (const part of clause.split(",")) {
      const [module = "", local = module.split(".")[0]!] = part.trim().split(/\s+as\s+/);
      imports.set(local, { name: wholeModule, specifiers: [module] });
    }
}

function readGo(text: string, { imports }: Clauses): void {
  for (const [, local, path = ""] of text.matchAll(
    /^[ \t]*(?:import[ \t]+)?(?:([\w.]+)[ \t]+)?"([^"\n]+)"[ \t]*$/gm,
  ))
    imports.set(local ?? posix.basename(path), { name: wholeModule, specifiers: [path] });
}

const readers = { javascript: readJavascript, python: readPython, go: readGo };

export function readClauses(language: Language, text: string): Clauses {
  const clauses: Clauses = { imports: new Map(), exports: new Map(), passedOn: [] };
  readers[language](text, clauses);
  return clauses;
}
