// The table of all effects that can be applied to the simulated V1.

import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { EffectRow, EffectScope, EffectTiming, Exchange, Stage } from "../exchange.ts";
import { hashText, uniform } from "../population.ts";
import { bodyEffects } from "./body.ts";
import { dataEffects } from "./data.ts";
import { fieldEffects } from "./fields.ts";
import { accessEffects, noticeEffects } from "./headers.ts";

export const effectTable = {
  ...fieldEffects,
  ...dataEffects,
  ...accessEffects,
  ...noticeEffects,
  ...bodyEffects,
};

export type EffectKind = keyof typeof effectTable;
export const effectKinds = Object.keys(effectTable) as EffectKind[];

type ParametersOf<Row> = Row extends EffectRow<infer P> ? P : never;
export type Effect = {
  [K in EffectKind]: { kind: K } & EffectScope & ParametersOf<(typeof effectTable)[K]>;
}[EffectKind];

export type ActiveEffect = EffectTiming & { effect: Effect };

/** The sample effect of a kind. */
export function sampleEffect(kind: EffectKind): Effect {
  return { kind, ...effectTable[kind].sample } as Effect;
}

/** Why an effect cannot change the responses of an endpoint; undefined if it can. */
export const findRefusal = (kind: EffectKind, endpoint: EndpointId): string | undefined =>
  (effectTable[kind] as EffectRow<object>).refusedFor?.[endpoints[endpoint].role];

/** The effects that change the responses of one endpoint, or of every endpoint that the kind applies to. */
export function sampleEffects(kind: EffectKind, endpoint: EndpointId | undefined): Effect[] {
  const { sample, sampleByRole } = effectTable[kind] as EffectRow<object>;
  const ofRole = (id: EndpointId) => ({ kind, ...(sampleByRole?.[endpoints[id].role] ?? sample) });
  if (endpoint !== undefined) return [{ ...ofRole(endpoint), endpoint } as Effect];
  return (sampleByRole ? endpointIds.map(ofRole) : [{ kind, ...sample }]) as Effect[];
}

export function applyEffects(active: readonly ActiveEffect[], stage: Stage, exchange: Exchange): void {
  for (const { effect, ...timing } of active) {
    const row = effectTable[effect.kind] as EffectRow<object>;
    const { endpoint, rate = 1 } = effect;
    if (row.stage !== stage) continue;
    if (endpoint !== undefined && endpoint !== exchange.target.endpoint) continue;
    if (stage === "status" && exchange.status !== undefined) continue;
    if (!row.perRecord && uniform(hashText(effect.kind), exchange.number, 0) >= rate) continue;
    row.apply(effect, exchange, timing);
  }
}
