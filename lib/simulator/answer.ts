// One exchange through all its stages: V1's own answer, with the active effects applied around it.
import { apiKeyHeader, type EndpointId, endpointIds, endpoints } from "../contract/endpoints.ts";
import type { Bodies, Question } from "./bodies.ts";
import { type ActiveEffect, applyEffects } from "./effects/index.ts";
import { type Exchange, refuse } from "./exchange.ts";

export const keyHeader = apiKeyHeader.toLowerCase();

type Request = { question: Question; key: string | undefined; number: number; now: number };

/** `requiredKey`: a key that is sent must be this one; sending none stays allowed. */
export function answer(
  bodies: Bodies,
  requiredKey: string | undefined,
  active: readonly ActiveEffect[],
  { question, key, number, now }: Request,
): Exchange {
  const exchange: Exchange = {
    question: { ...question },
    authenticated: key !== undefined,
    number,
    now,
    datesUntil: now,
    status: undefined,
    headers: { "Content-Type": "application/json; charset=utf-8" },
    body: undefined,
    bytes: Buffer.alloc(0),
    delivery: { kind: "whole" },
  };
  applyEffects(active, "ask", exchange);
  applyEffects(active, "refuse", exchange);
  if (exchange.status === undefined) {
    if (requiredKey !== undefined && key !== undefined && key !== requiredKey) {
      refuse(exchange, 401, "Unauthorized request.");
    } else {
      look(bodies, exchange);
    }
  }
  if (exchange.status === 200) applyEffects(active, "data", exchange);
  applyEffects(active, "head", exchange);
  exchange.bytes = Buffer.from(JSON.stringify(exchange.body));
  if (exchange.status === 200) applyEffects(active, "text", exchange);
  applyEffects(active, "wire", exchange);
  return exchange;
}

function look(bodies: Bodies, exchange: Exchange): void {
  const { question, now, datesUntil } = exchange;
  const body = bodies[question.endpoint](question, { now, datesUntil });
  if (body === undefined) {
    refuse(exchange, 404, "Resource not found.");
    return;
  }
  exchange.status = 200;
  exchange.body = body;
}

// A request's path and query → the question it asks of V1; undefined where V1 has no such path.
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
