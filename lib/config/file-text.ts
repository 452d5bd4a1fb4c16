// The text of a file that people write: YAML, or JSON, which YAML contains, with comments. Errors say where the text is wrong
// and quote nothing, because it may contain a secret.

import { LineCounter, parseDocument } from "yaml";
import type { Mistake } from "./mistakes.ts";

const isYaml = (filePath: string) => /\.ya?ml$/i.test(filePath);

export type ParsedText = { value: unknown } | { mistake: Mistake };

/** The value of a text, or the first place that is wrong. */
export function parseText(fileText: string, filePath: string): ParsedText {
  const clean = fileText.replace(/^\uFEFF/, "");
  const text = isYaml(filePath) ? clean : withoutComments(clean);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  const language = isYaml(filePath) ? "YAML" : "JSON";
  // What is wrong after the first mistake often follows from it.
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const isTwice = error.code === "DUPLICATE_KEY";
    const problem = isTwice ? "has a name twice." : `cannot be read as ${language} (${error.code}).`;
    return { mistake: { path: filePath, problem, remedy: `Look at line ${line}, column ${col}.` } };
  }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch {
    // An alias that refers to itself, or to too much.
    return { value: undefined };
  }
}

/** Undefined where the text is no configuration; the mistakes say why. */
export function parseFile(fileText: string, filePath: string, mistakes: Mistake[]): object | undefined {
  const parsed = parseText(fileText, filePath);
  if ("mistake" in parsed) {
    mistakes.push(parsed.mistake);
    return undefined;
  }
  const { value } = parsed;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  const remedy = isYaml(filePath)
    ? "Write settings, such as baseUrl: https://api.example.com."
    : 'Write settings in braces: { "baseUrl": … }.';
  mistakes.push({ path: filePath, problem: "is not a configuration.", remedy });
  return undefined;
}

/** Every comment becomes spaces, so that lines and columns stay. */
const withoutComments = (text: string) =>
  text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\n]/g, " "),
  );
