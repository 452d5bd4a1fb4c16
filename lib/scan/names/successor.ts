// Code that asks V2: the team's mapping says which paths and fields are V2's, some of which have V1's names.
import { isTest } from "../tree/files.ts";
import type { SourceFiles } from "../tree/imports.ts";
import { type FileNames, tellingIn } from "./names.ts";
import type { Neighbours } from "./neighbours.ts";

/** `paths`: of V2's requests, such as `/profile`. `names`: of V2's fields, such as `human_checkmark`. */
export type SuccessorNames = { paths: readonly string[]; names: readonly string[] };

const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * A request, and not the link to a page of one's own: behind a host, a variable or a method, or with a query. A template's id is
 * whatever follows.
 */
function requestOf(paths: readonly string[]): RegExp | undefined {
  const written = paths.map((path) => escapeText(path.replace(/\/?\{.*$/, ""))).filter((path) => path !== "");
  if (written.length === 0) return undefined;
  const any = `(?:${written.join("|")})`;
  return new RegExp(
    [
      `(?:https?://[\\w.:-]+|\\}|["'\`]?\\s*[+.]\\s*["'\`])${any}(?![\\w-])`,
      `(?:get|fetch|request)\\w*\\(\\s*f?["'\`]${any}(?![\\w-])`,
      `${any}\\?\\w+=`,
    ].join("|"),
    "i",
  );
}

/** Files that ask V2 and show nothing of V1 that is not V2's, too: no path of V1, and no call of it near them. */
export function findSuccessors(
  { names, tree }: SourceFiles,
  { around }: Neighbours,
  { paths, names: known }: SuccessorNames,
): Set<string> {
  const request = requestOf(paths);
  const inV2 = new Set(known);
  const asksV1 = ({ calls, namesPath, parts }: FileNames) =>
    calls.length > 0 || namesPath || parts.names.length > 0;
  if (!request) return new Set();
  return new Set(
    [...names].flatMap(([file, inFile]) => {
      const telling = tellingIn(inFile);
      const isExplained = telling.length > 0 && telling.every((name) => inV2.has(name));
      if (isTest(file) || !isExplained || !request.test(tree.read(file))) return [];
      const isNearV1 = [...around(file)].some((other) => {
        const found = names.get(other);
        return found !== undefined && asksV1(found);
      });
      return isNearV1 ? [] : [file];
    }),
  );
}
