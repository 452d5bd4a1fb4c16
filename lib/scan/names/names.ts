// What the text of a file says about V1, in any language: its paths, and names that only V1 gives to fields.

import { apiKeyHeader, baseSegments, type EndpointId } from "../../contract/endpoints.ts";
import { distinctiveNames, tellingNames } from "../../contract/v1/code-names.ts";
import { codeOf, isComponent, keepScripts } from "../code/markup.ts";
import type { Confidence, Mark } from "../uses.ts";
import { type AddressMatcher, mentionsResource, resources } from "./addresses.ts";
import { findForward } from "./bases.ts";
import { fieldPath, nodeNamed, pageNumbers, toSnakeCase } from "./fields.ts";
import { isTemplate, readTemplate, resolvePaths, type TemplatePath, tellingSteps } from "./templates.ts";

/** Prose mentions; it does not call. */
const prose = /\.(md|mdx|rst|txt|adoc|tex|csv|tsv|log|po|xlf)$|(^|\/)(CHANGELOG|LICENSE|README)[^/]*$/i;

/** Languages without a parser here. In other files, such as SQL or YAML, a name alone says nothing about a reader. */
const sourceFile =
  /\.(rb|rake|erb|java|kts?|php|rs|cs|swift|scala|exs?|dart|groovy|clj|fs|vb|m|lua|pl|r|rmd|qmd|jl|cc?|cpp|cxx|hpp|zig|nim|hs|elm|erl|ml|pm|cr|coffee|gd|tf|sh|bash|zsh|fish|ps1|jq|pug|jade|haml|slim|mustache|handlebars|cshtml|heex)$|(^|\/)[^./]+$/i;

export const isOtherSource = (file: string): boolean => sourceFile.test(file);

const comment = /^\s*(#(?![![])|\/\/|\*|\/\*|--|;(?![[(])|<!--|%(?=[\s%])|"""|''')/;

/** How languages put a value into a text: `${id}`, `#{id}`, `{id}`, `{{ id }}`, `\(id)`, `$(cat id)`, `$user->id`. */
const value = /[$#]?\{(?:[^{}]|\{[^{}]*\})*\}|[\\$]\((?:[^()]|\([^()]*\))*\)|\$\w+(?:->\w+)*/g;
/** What leads to a slash; or nothing, where a text begins or a value ends, if no comment began before. */
const start = /(?:[\w:/.${}<>#-]*\/|(?<=["'=})])(?<!\s--\s.*))/;
const resource = new RegExp(`(?:${resources.join("|")})(?![\\w-])`);
const patterns = new WeakMap<AddressMatcher, RegExp>();

/** V1's paths in a line. */
function patternOf(matcher: AddressMatcher): RegExp {
  const known =
    patterns.get(matcher) ??
    new RegExp(
      `${start.source}${matcher.prefix}/+${resource.source}(?:${value.source}|[^\\s"'\`,;)\\]])*`,
      "g",
    );
  patterns.set(matcher, known);
  return known;
}

/** What follows the literal: `" + id`, `" . $id`, `" <> id`; then a further part makes it another resource. */
const continued = /^["'`]\s*(?:[+.~]+|<>)\s*[\w$.@()[\]>-]+(\s*(?:[+.~]+|<>)\s*["'`]([^"'`]*))?/;

/** A comment after the code of a line. */
const trailingComment = /\s(?:\/\/|#)\s/;

function endpointsIn(line: string, matcher: AddressMatcher): EndpointId[] {
  return [...line.matchAll(patternOf(matcher))].flatMap((match) => {
    if (trailingComment.test(line.slice(0, match.index))) return [];
    const literal = match[0].replace(/[.:]+$/, "");
    const after = continued.exec(line.slice(match.index + match[0].length));
    // A path that ends in a slash and goes on asks for one record.
    const text = after && literal.endsWith("/") ? `${literal}{id}${after[2] ?? ""}` : literal;
    const asked = matcher.askedEndpoint(text.replace(value, "{id}"));
    return asked?.isSure ? [asked.endpoint] : [];
  });
}

/** The parameter of a query is no field. */
const words = /(?<![?&])\b[A-Za-z]\w*/g;

/** Before the name of a column or of a declared field. */
const tag = "(?:json|db|bson|yaml|xml|form|mapstructure|alias|column|name)";

type LineTest = (line: string, name: string) => boolean;

const matchName = (form: (name: string) => string[]): LineTest => {
  const known = new Map<string, RegExp>();
  return (line, name) => {
    const pattern = known.get(name) ?? new RegExp(form(name).join("|"));
    known.set(name, pattern);
    return pattern.test(line);
  };
};

/** `p.name`, `p["name"]`, `get(p, "passport.name")`, `case {"name": x}`; not where the name is given a value. */
const isRead = matchName((name) => [
  `[.]${name}\\b(?!\\s*=[^=])`,
  `["'\`](?:[\\w$]+\\.)*${name}["'\`](?!\\s*(?::|\\]\\s*=[^=]))(?<!\\b${tag}[:=]\\s*"${name}[",\\w]*)`,
  `^\\s*case\\b.*["']${name}["']\\s*:`,
  // `"{name}".format(**p)`, `"%(name)s" % p`
  `["'].*(?:\\{${name}[}!:]|%\\(${name}\\))`,
]);

/**
 * `const { name } = p`, `({ passport: { name } }) =>`, `for (const { name } of list)`: the lines and names of patterns, on
 * any number of lines.
 */
function namesInPatterns(text: string): Set<string> {
  const found = new Set<string>();
  let [line, from] = [1, 0];
  for (const { index } of text.matchAll(/\}\s*(?:=(?![=>])|\)\s*(?:=>|[{:])|:\s*[A-Za-z{]|(?:of|in)\b)/g)) {
    line += text.slice(from, index).split("\n").length - 1;
    from = index;
    let start = index;
    for (let open = 1; open > 0 && start > 0 && index - start <= maxPatternLength; ) {
      start -= 1;
      open += text[start] === "}" ? 1 : text[start] === "{" ? -1 : 0;
    }
    if (index - start > maxPatternLength) continue;
    const lines = text.slice(start, index).split("\n");
    for (const [at, part] of lines.entries())
      for (const [word] of part.matchAll(/(?<![.\w])[a-z]\w*/g))
        found.add(`${line - lines.length + 1 + at} ${word}`);
  }
  return found;
}

const maxPatternLength = 2000;
const maxLineLength = 2000;

/** `json:"name"`, `name: string`, `name: z.boolean()`, `def show(name, **rest)`. */
const isDeclared = matchName((name) => [
  `(?:json|mapstructure|alias|name)[:=]\\s*"${name}`,
  `\\b${name}: \\w+\\.(?:string|number|boolean|array|object|nullable|nullish|optional|pipe|String|Number|Boolean)\\b`,
  `^\\s*(?:async )?def .*\\b${name}\\b`,
  `\\b${name}["']?\\??:\\s*(?:string|number|boolean|bool|int|float|str|list|dict|Optional|Array|null|z\\.|t\\.|[A-Z]\\w*\\b(?![(.]))`,
]);

/** Not the host of `https://passport.example.com`. */
const pathPart = new RegExp(
  `(?<!/)/(?:${resources.join("|")})\\b|\\b(?:${resources.join("|")})[/?]|\\b${baseSegments.join("[\"'`,\\s/]+")}\\b`,
);

/** Also without underscores, where a library renamed the keys. */
const toPattern = (names: Iterable<string>) => [...names].join("|").replaceAll("_", "_?");

const quickTest = new RegExp(`${toPattern([...resources, ...distinctiveNames])}|${apiKeyHeader}`, "i");

/** A part of a page may have the pagination alone. */
const templateTest = new RegExp(
  [toPattern(distinctiveNames), ...pageNumbers.map(({ last }) => last)].join("|"),
);

/** The path of a resource with a name that only V1 has, behind a base that is elsewhere. */
const quotedPath = new RegExp(
  `["'\`/}](?:${resources.filter((name) => tellingNames.has(name)).join("|")})["'\`/?$]`,
);
const keyHeader = new RegExp(apiKeyHeader, "i");

/** `isDeclared`: a type's field, which is no read. */
type NameAt = { name: string; line: number; isDeclared: boolean };

export type FileNames = {
  calls: { endpoint: EndpointId; line: number }[];
  /** Distinctive names outside comments. */
  names: NameAt[];
  /** What a template, or the markup of a component, reads. */
  templatePaths: TemplatePath[];
  /** Whether a part of a V1 path is in the file, so that its address is not all in the environment. */
  namesPath: boolean;
  /** Whether the file shows by itself that it is V1's: a path, a host, or two names that only V1 has. */
  isV1: boolean;
  /** What a request to V1 is made of, in parts that stand apart: the header of its key, its base path, a resource. */
  parts: { line: number; names: string[] };
};

const noParts: FileNames["parts"] = { line: 1, names: [] };
export const noNames: FileNames = {
  calls: [],
  names: [],
  templatePaths: [],
  namesPath: false,
  isV1: false,
  parts: noParts,
};

const baseAddress = new RegExp(`https?://[^\\s"'\`]+/${baseSegments.join("/")}(?![\\w-])`);
const resourcePath = new RegExp(`(?<![\\w.-])/?(?:${resources.join("|")})(?:[/"'\`?$]|\\$\\{)`);

/** Other APIs have such a header, or such a base: with a resource of V1 they make a request, or a client. */
function findParts(text: string, matcher: AddressMatcher): FileNames["parts"] {
  const lines = text.split("\n");
  const find = (name: string, isIn: (line: string) => boolean) => {
    const index = lines.findIndex(
      (line) => line.length <= maxLineLength && isIn(line) && !comment.test(line),
    );
    return index < 0 ? [] : [{ name, line: index + 1 }];
  };
  const named = find("an address that was named for V1", (line) => matcher.namesAddress(line));
  const resource = resourcePath.test(text)
    ? find(resources.map((one) => `/${one}`).join(" or "), (line) => resourcePath.test(line))
    : [];
  const around = [
    ...find(apiKeyHeader, (line) => keyHeader.test(line)),
    ...find(`/${baseSegments.join("/")}`, (line) => baseAddress.test(line)),
  ];
  const found = resource.length > 0 && around.length > 0 ? [...named, ...around, ...resource] : named;
  if (found.length === 0) return noParts;
  return { line: Math.min(...found.map(({ line }) => line)), names: found.map(({ name }) => name) };
}

export const tellingIn = ({ names }: FileNames): string[] => [
  ...new Set(names.flatMap(({ name }) => (tellingNames.has(name) ? [name] : []))),
];

const writtenPath = new RegExp(`\\b${baseSegments.join("/+")}/+(?:${resources.join("|")})\\b`);

/** Whether a text that is not looked into names V1's path or two of its fields. */
export const mayBeV1 = (text: string): boolean =>
  writtenPath.test(text) || [...tellingNames].filter((name) => text.includes(name)).length > 1;

export function readNames(file: string, source: string, matcher: AddressMatcher): FileNames {
  // A semicolon begins a comment in other languages.
  const text = isComponent(file) ? codeOf(file, source).replace(/^([ \t]*);/gm, "$1 ") : source;
  const forward = findForward(file, text);
  const isConcerned =
    forward !== undefined || quickTest.test(text) || (isTemplate(file) && templateTest.test(text));
  if (prose.test(file) || !(isConcerned || matcher.namesAddress(text))) return noNames;
  const templatePaths = readTemplate(file, text);
  const isRenamed = isOtherSource(file);
  // Of a template, names are only read in its scripts.
  const code = isTemplate(file) ? keepScripts(text).split("\n") : undefined;
  const calls: FileNames["calls"] = [];
  const names: NameAt[] = [];
  const isScript = /\.(vue|svelte|[mc]?[jt]sx?)$/i.test(file);
  const taken = isScript ? namesInPatterns(text) : new Set();
  for (const [index, line] of text.split("\n").entries()) {
    if (
      line.length > maxLineLength ||
      (!quickTest.test(line) && !/[a-z]_[a-z]/.test(line)) ||
      comment.test(line)
    )
      continue;
    for (const endpoint of mentionsResource(line) ? endpointsIn(line, matcher) : [])
      calls.push({ endpoint, line: index + 1 });
    const read = code?.[index] ?? line;
    for (const word of new Set(read.match(words))) {
      const renamed = toSnakeCase(word);
      // In JavaScript a library may have renamed the keys.
      const name = isRenamed || (isScript && tellingNames.has(renamed)) ? renamed : word;
      if (!distinctiveNames.has(name)) continue;
      const isUsed = isRenamed || isRead(line, word) || taken.has(`${index + 1} ${word}`);
      if (isUsed || isDeclared(line, word)) names.push({ name, line: index + 1, isDeclared: !isUsed });
    }
  }
  const telling = new Set(names.flatMap(({ name }) => (tellingNames.has(name) ? [name] : []))).size;
  const signs = telling + (keyHeader.test(text) ? 1 : 0) + (quotedPath.test(text) ? 1 : 0);
  return {
    calls,
    names,
    templatePaths,
    namesPath: calls.length > 0 || pathPart.test(text),
    isV1:
      calls.length > 0 || signs > 1 || tellingSteps(templatePaths).length > 1 || matcher.namesAddress(text),
    parts: forward ?? findParts(text, matcher),
  };
}

/** What a template reads, as findings. */
export const templateMarks = (
  file: string,
  { templatePaths }: Pick<FileNames, "templatePaths">,
  asked: ReadonlySet<EndpointId>,
) =>
  resolvePaths(templatePaths, asked).map(
    ({ node, line, evidence }): Mark => ({
      kind: "read",
      file,
      inside: "",
      confidence: "medium",
      evidence: { by: "name", name: evidence },
      endpoint: node.endpoint,
      line,
      field: fieldPath(node),
    }),
  );

/** The calls and names of a file as findings. `near`: endpoints that are asked for in other files. */
export function namesAsMarks(
  file: string,
  { calls, names }: Pick<FileNames, "calls" | "names">,
  confidence: Confidence,
  near: ReadonlySet<EndpointId> = new Set(),
): Mark[] {
  const asked = calls.length > 0 ? new Set(calls.map(({ endpoint }) => endpoint)) : near;
  return [
    ...calls.map(
      ({ endpoint, line }): Mark => ({
        kind: "call",
        file,
        inside: "",
        confidence,
        evidence: { by: "text" },
        endpoint,
        line,
      }),
    ),
    ...names.flatMap(({ name, line }): Mark[] => {
      const node = nodeNamed(name, asked);
      if (!node || node.isEnvelope) return [];
      return [
        {
          kind: "read",
          file,
          inside: "",
          confidence,
          evidence: { by: "name", name },
          endpoint: node.endpoint,
          line,
          field: fieldPath(node),
        },
      ];
    }),
  ];
}
