// Text search for languages without a parser: V1 paths outside comments, and distinctive field names near them.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Mark } from "../uses.ts";
import { allNodes, askedEndpoint, fieldPath, tellingNames } from "./fields.ts";

/** Prose mentions; it does not call. */
const isProse = (file: string) =>
  /\.(md|mdx|rst|txt|adoc|tex|csv|tsv|log|html?|ipynb|po|xlf)$|(^|\/)(CHANGELOG|LICENSE|README)[^/]*$/i.test(
    file,
  );

const comment = /^\s*(#(?!!)|\/\/|\*|\/\*|--|;|<!--|%|"""|''')/;

/** How languages put a value into a text: `${id}`, `#{id}`, `{id}`, `{{ id }}`, `\(id)`, `$(cat id)`, `$user->id`. */
const value = /[$#]?\{(?:[^{}]|\{[^{}]*\})*\}|[\\$]\((?:[^()]|\([^()]*\))*\)|\$\w+(?:->\w+)*/g;
/** What leads to a slash; or nothing, where a text begins or a value ends, if no comment began before. */
const start = /(?:[\w:/.${}<>#-]*\/|(?<=["'=})])(?<!\s(?:\/\/|#|--)\s.*))/;
const resource = /api\/v1\/+(?:passports|passport_credentials)(?![\w-])/;
const path = new RegExp(`${start.source}${resource.source}(?:${value.source}|[^\\s"'\`,;)\\]])*`, "g");

/** What follows the literal: `" + id`, `" . $id`, `" <> id`; then a further part makes it another resource. */
const continued = /^["'`]\s*(?:[+.~]+|<>)\s*[\w$.@()[\]>-]+(\s*(?:[+.~]+|<>)\s*["'`]([^"'`]*))?/;

function readLine(line: string): EndpointId[] {
  return [...line.matchAll(path)].flatMap((match) => {
    const literal = match[0].replace(/[.:]+$/, "");
    const after = continued.exec(line.slice(match.index + match[0].length));
    // A path that ends in a slash and goes on asks for one passport.
    const text = after && literal.endsWith("/") ? `${literal}{id}${after[2] ?? ""}` : literal;
    const asked = askedEndpoint(text.replace(value, "{id}"));
    return asked ? [asked.endpoint] : [];
  });
}

/** The endpoints' own fields, by names that only V1 has. */
function readNames(lines: readonly string[], file: string, endpoints: ReadonlySet<EndpointId>): Mark[] {
  return lines.flatMap((line, index): Mark[] => {
    if (comment.test(line)) return [];
    const names = new Set(line.match(/\b[a-z]+(?:_[a-z]+)+\b/g)?.filter((name) => tellingNames.has(name)));
    return [...names].flatMap((name): Mark[] => {
      const node = allNodes.find(
        (candidate) => candidate.name === name && endpoints.has(candidate.endpoint) && !candidate.isEnvelope,
      );
      if (!node) return [];
      return [
        {
          kind: "read",
          file,
          line: index + 1,
          inside: "",
          endpoint: node.endpoint,
          confidence: "low",
          field: fieldPath(node),
        },
      ];
    });
  });
}

export function readOtherText(file: string, text: string): Mark[] {
  if (isProse(file) || !text.includes("api/v1/")) return [];
  const lines = text.split("\n");
  const calls = lines.flatMap((line, index) =>
    line.length > 2000 || comment.test(line)
      ? []
      : readLine(line).map(
          (endpoint): Mark => ({
            kind: "call",
            file,
            line: index + 1,
            inside: "",
            endpoint,
            confidence: "low",
          }),
        ),
  );
  if (calls.length === 0) return [];
  return [...calls, ...readNames(lines, file, new Set(calls.map(({ endpoint }) => endpoint)))];
}
