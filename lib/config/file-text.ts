// The text of a configuration file: YAML, or JSON with comments. Errors say where the text is wrong and quote nothing,
// because it may contain a secret.
import { type Document, LineCounter, parseDocument } from "yaml";
import type { Mistake } from "./mistakes.ts";

const isYaml = (filePath: string) => /\.ya?ml$/i.test(filePath);

/** Undefined where the text cannot be read; the mistakes say why. */
export function parseFile(fileText: string, filePath: string, mistakes: Mistake[]): object | undefined {
  const clean = fileText.replace(/^\uFEFF/, "");
  const text = isYaml(filePath) ? clean : withoutComments(clean);
  if (!isYaml(filePath) && !isJson(text)) {
    const { line, column, problem } = locateJsonFault(text);
    const remedy = `Look at line ${line}, column ${column}.`;
    mistakes.push({ path: filePath, problem: `cannot be read as JSON: ${problem}.`, remedy });
    return undefined;
  }
  // YAML contains JSON, and its parser notices a setting that is given twice.
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  for (const { code, pos } of document.errors) {
    const { line, col } = lines.linePos(pos[0]);
    const problem = code === "DUPLICATE_KEY" ? "has a setting twice." : `cannot be read as YAML (${code}).`;
    mistakes.push({ path: filePath, problem, remedy: `Look at line ${line}, column ${col}.` });
  }
  if (document.errors.length > 0) return undefined;
  const value = readValue(text, document, isYaml(filePath));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  const remedy = isYaml(filePath)
    ? "Write settings, such as baseUrl: https://api.example.com."
    : 'Write settings in braces: { "baseUrl": … }.';
  mistakes.push({ path: filePath, problem: "is not a configuration.", remedy });
  return undefined;
}

/** An alias that refers to itself, or to too much, is no configuration. */
function readValue(text: string, document: Document.Parsed, isYamlText: boolean): unknown {
  try {
    return isYamlText ? document.toJS({ maxAliasCount: 100 }) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Every comment becomes spaces, so that lines and columns stay. */
const withoutComments = (text: string) =>
  text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\n]/g, " "),
  );

// Finds the position at which a text stops being valid JSON. The error of JSON.parse does not always contain it.

const token =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/uy;

export type JsonFault = { line: number; column: number; problem: string };

export function locateJsonFault(text: string): JsonFault {
  const open: string[] = [];
  let expects: "value" | "key" | "colon" | "next" = "value";
  let previous = "";
  let at = 0;
  const fault = (problem: string): JsonFault => {
    const before = text.slice(0, at).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, problem };
  };
  for (;;) {
    while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
    if (at >= text.length) {
      const bracket = open.at(-1);
      return fault(bracket ? `the text ends before its ${bracket} is closed` : "the text ends too early");
    }
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return fault(describeUnexpected(text.slice(at, at + 2)));
    const isClosing = found === "}" || found === "]";
    if (isClosing && previous === ",") return fault(`a comma before ${found} is one too many`);
    if (isClosing) {
      const isMatching = open.at(-1) === (found === "}" ? "{" : "[");
      const isInPlace = expects === "next" || previous === open.at(-1);
      if (!isMatching || !isInPlace) return fault(`${found} is out of place`);
      open.pop();
      expects = "next";
    } else if (expects === "next") {
      if (open.length === 0) return fault("there is more after the end");
      if (found !== ",") return fault("a comma is missing");
      expects = open.at(-1) === "{" ? "key" : "value";
    } else if (expects === "colon") {
      if (found !== ":") return fault("a colon is missing");
      expects = "value";
    } else if (expects === "key") {
      if (!found.startsWith('"')) return fault("a name in double quotes is missing");
      expects = "colon";
    } else if (found === "," || found === ":") {
      return fault("a value is missing");
    } else if (found === "{" || found === "[") {
      open.push(found);
      expects = found === "{" ? "key" : "value";
    } else {
      expects = "next";
    }
    previous = found;
    at += found.length;
  }
}

function describeUnexpected(start: string): string {
  if (start === "/*") return "a comment is not closed";
  if (start.startsWith("'")) return "JSON has double quotes only";
  if (start.startsWith('"')) return "a text is not closed, or holds a line break or a wrong escape";
  return "this is not JSON";
}
