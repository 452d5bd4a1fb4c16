// The table of all effects that can be applied to the simulated V1.

import type { EffectRow, EffectScope, EffectTiming, Exchange, Stage } from "../exchange.ts";
import { hashText, uniform } from "../random.ts";
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
