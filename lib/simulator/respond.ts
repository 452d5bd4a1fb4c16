// Builds V1's response to a request and applies the active effects at each stage.
import { apiKeyHeader, type EndpointId, endpointIds, endpoints } from "../contract/endpoints.ts";
import type { Bodies, RequestTarget } from "./bodies.ts";
import { type ActiveEffect, applyEffects } from "./effects/index.ts";
import { type Exchange, setError } from "./exchange.ts";

export const keyHeader = apiKeyHeader.toLowerCase();

type SimulatedRequest = { target: RequestTarget; key: string | undefined; number: number; now: number };

/** `requiredKey`: a request with another key gets 401. A request without a key is accepted. */
export function respond(
  bodies: Bodies,
  requiredKey: string | undefined,
  active: readonly ActiveEffect[],
  { target, key, number, now }: SimulatedRequest,
): Exchange {
  const exchange: Exchange = {
    target: { ...target },
    authenticated: key !== undefined,
    number,
    now,
    datesUntil: now,
    status: undefined,
    headers: { "Content-Type": "application/json; charset=utf-8" },
    body: undefined,
    bytes: Buffer.alloc(0),
    delivery: { kind: "complete" },
  };
  applyEffects(active, "request", exchange);
  applyEffects(active, "status", exchange);
  if (exchange.status === undefined) {
    if (requiredKey !== undefined && key !== undefined && key !== requiredKey) {
      setError(exchange, 401, "Unauthorized request.");
    } else {
      setBody(bodies, exchange);
    }
  }
  if (exchange.status === 200) applyEffects(active, "data", exchange);
  applyEffects(active, "headers", exchange);
  exchange.bytes = Buffer.from(JSON.stringify(exchange.body));
  if (exchange.status === 200) applyEffects(active, "body", exchange);
  applyEffects(active, "transport", exchange);
  return exchange;
}

function setBody(bodies: Bodies, exchange: Exchange): void {
  const { target, now, datesUntil } = exchange;
  const body = bodies[target.endpoint](target, { now, datesUntil });
  if (body === undefined) {
    setError(exchange, 404, "Resource not found.");
    return;
  }
  exchange.status = 200;
  exchange.body = body;
}

const routes = endpointIds.map((endpoint: EndpointId) => ({
  endpoint,
  pattern: new RegExp(`^${endpoints[endpoint].path.replace("{id}", "([^/]+)")}/?$`),
}));

/** Beyond every list: larger page numbers are treated like this one. */
const lastPage = 1_000_000_000;

/** The document does not show how to choose a page. Anything but a page number gives page 1. */
function parsePage(text: string | null): number {
  return text !== null && /^\d+$/.test(text) ? Math.min(lastPage, Math.max(1, Number(text))) : 1;
}

/** Returns undefined for a malformed percent-encoding. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Parses the path and query of a request. Returns undefined when V1 has no such path. */
export function parseTarget(url: string): RequestTarget | undefined {
  const [path = "", search = ""] = url.split(/\?(.*)/s);
  for (const { endpoint, pattern } of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    const query = new URLSearchParams(search);
    return {
      endpoint,
      id: (match[1] === undefined ? query.get("passport_id")?.trim() : decode(match[1])) ?? "",
      keyword: query.get("keyword")?.trim() ?? "",
      page: parsePage(query.get("page")),
    };
  }
  return undefined;
}
