// Loads v1watch.mapping.json and returns either a valid mapping or all of its mistakes at once.

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseText } from "../config/file-text.ts";
import { byPath, explain, type Mistake, pathText, printable, valueAt } from "../config/mistakes.ts";
import { buildMappingJsonSchema, type Mapping, mapping } from "../records/mapping.ts";
import { looksLikeKey } from "../records/secret-forms.ts";
import { checkMapping, suggestName } from "./checks.ts";
import { behaviours, v1Fields } from "./fields.ts";
import { isSchema, readShape, type Shape } from "./v2-shape.ts";

export const mappingFileName = "v1watch.mapping.json";

export type LoadedMapping =
  | { ok: true; mapping: Mapping; shape?: Shape | undefined }
  | { ok: false; mistakes: Mistake[] };

export function mappingJsonSchema() {
  return buildMappingJsonSchema(
    v1Fields.map(({ path }) => path),
    behaviours.map(({ id }) => id),
  );
}

/** `shapeFile` is the content of V2's OpenAPI document or JSON Schema. */
export function loadMapping(
  fileText: string,
  filePath = mappingFileName,
  shapeFile?: { text: string; path: string },
): LoadedMapping {
  const file = parseText(fileText, printable(filePath));
  if ("mistake" in file) return { ok: false, mistakes: [file.mistake] };
  const mistakes: Mistake[] = [];
  const shape = shapeFile && parseShape(shapeFile.text, shapeFile.path, mistakes);
  const parsed = mapping.safeParse(file.value);
  for (const issue of parsed.error?.issues ?? []) mistakes.push(...explainIssue(issue, file.value));
  if (parsed.data) mistakes.push(...checkMapping(parsed.data, shape));
  if (mistakes.length > 0 || !parsed.data) {
    return { ok: false, mistakes: mistakes.sort(byPath) };
  }
  return { ok: true, mapping: parsed.data, shape };
}

/** `shapePath` overrides the mapping's `v2.shape`, which is relative to the mapping's folder. */
export async function readMapping(filePath: string, shapePath?: string): Promise<LoadedMapping> {
  const text = await readText(filePath, "Write one with `v1watch migrate init`, or name it with --mapping.");
  if ("mistake" in text) return { ok: false, mistakes: [text.mistake] };
  const file = parseText(text.value, filePath);
  const named = "value" in file ? valueAt(file.value, ["v2", "shape"]) : undefined;
  const path = shapePath ?? (typeof named === "string" ? resolve(dirname(filePath), named) : undefined);
  if (path === undefined) return loadMapping(text.value, filePath);
  const shape = await readText(path, "Name V2's OpenAPI 3 document or JSON Schema.");
  if ("value" in shape) return loadMapping(text.value, filePath, { text: shape.value, path });
  const loaded = loadMapping(text.value, filePath);
  return { ok: false, mistakes: [shape.mistake, ...(loaded.ok ? [] : loaded.mistakes)] };
}

type ReadResult<T> = { value: T } | { mistake: Mistake };

async function readText(path: string, remedy: string): Promise<ReadResult<string>> {
  try {
    return { value: await readFile(path, "utf8") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === "ENOENT" ? "there is no such file." : `cannot be read (${code}).`;
    return { mistake: { path: printable(path), problem, remedy } };
  }
}

function parseShape(text: string, path: string, mistakes: Mistake[]): Shape | undefined {
  const document = parseText(text, printable(path));
  if ("mistake" in document) {
    mistakes.push(document.mistake);
    return undefined;
  }
  const shape = readShape(document.value);
  if (!shape) {
    const remedy = "Give OpenAPI 3, or a JSON Schema with one definition for each endpoint.";
    mistakes.push({ path: printable(path), problem: "is not a supported schema document.", remedy });
  }
  return shape;
}

const keyMistake = {
  problem: "a key does not belong in the mapping.",
  remedy: 'Keep it in the environment and name its source: "key": { "env": "V1WATCH_V2_API_KEY" }.',
};

type Issue = Parameters<typeof explain>[0];

function explainIssue(issue: Issue, input: unknown): Mistake[] {
  const at = issue.path;
  const value = valueAt(input, at);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const path = pathText([...at, key]);
      const given = valueAt(input, [...at, key]);
      if (typeof given === "string" && looksLikeKey(given)) return { path, ...keyMistake };
      const known = knownNames(mappingJsonSchema(), at, value);
      return { path, problem: "there is no such setting.", remedy: suggestName(key, known) };
    });
  }
  if (pathText(at) === "v2.key" && typeof value === "string") return [{ path: "v2.key", ...keyMistake }];
  return explain(issue, input).map(({ path, problem, remedy }) => ({ path, problem, remedy }));
}

/** The property names that the schema allows at a path; in a row, only those of the row's decision. */
function knownNames(schema: unknown, at: readonly PropertyKey[], value: unknown): string[] {
  if (!isSchema(schema)) return [];
  const branches = [schema.anyOf, schema.oneOf].flat().filter(isSchema);
  const [name, ...rest] = at;
  if (name !== undefined) {
    const inner = valueAt(schema.properties, [name]) ?? schema.additionalProperties;
    const below = inner === undefined || inner === false ? branches : [inner];
    return [...new Set(below.flatMap((part) => knownNames(part, inner ? rest : at, value)))];
  }
  const decision = valueAt(value, ["decision"]);
  const own = branches.filter((part) => valueAt(part, ["properties", "decision", "const"]) === decision);
  return [schema, ...(own.length > 0 ? own : branches)].flatMap((part) =>
    Object.keys(isSchema(part.properties) ? part.properties : {}),
  );
}
