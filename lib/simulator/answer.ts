// One exchange through all its stages: V1's own answer, with the active effects applied around it.
import { apiKeyHeader } from "../contract/endpoints.ts";
import type { Bodies, Question } from "./bodies.ts";
import { type ActiveEffect, applyEffects } from "./effects.ts";
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
    keyed: key !== undefined,
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
