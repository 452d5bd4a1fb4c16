// The text of a configuration file: YAML, or JSON with comments. Errors say where the text is wrong and quote nothing,
// because it may contain a secret.

import { type Document, LineCounter, parseDocument } from "yaml";
import { locateJsonFault } from "./json-position.ts";
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
