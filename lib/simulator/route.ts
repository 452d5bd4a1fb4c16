// A request's path and query → the question it asks of V1; undefined where V1 has no such path.
import { type EndpointId, endpointIds, endpoints } from "../contract/endpoints.ts";
import type { Question } from "./bodies.ts";

const routes = endpointIds.map((endpoint: EndpointId) => ({
  endpoint,
  pattern: new RegExp(`^${endpoints[endpoint].path.replace("{id}", "([^/]+)")}/?$`),
}));

/** The document does not show how to choose a page; what is no page number is page 1. */
function pageOf(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Math.max(1, Number(text)) : 1;
}

/** Undefined for a malformed escape, which no id has. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function questionOf(target: string): Question | undefined {
  const [path = "", search = ""] = target.split(/\?(.*)/s);
  for (const { endpoint, pattern } of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    const query = new URLSearchParams(search);
    return {
      endpoint,
      id: (match[1] === undefined ? query.get("passport_id")?.trim() : decode(match[1])) ?? "",
      keyword: query.get("keyword")?.trim() ?? "",
      page: pageOf(query.get("page")),
    };
  }
  return undefined;
}
