// Every way to break the simulated V1. A new one is a row in one of these tables; its type follows.

import type { Aim, EffectRow, Exchange, Span, Stage } from "../exchange.ts";
import { hashText, roll } from "../random.ts";
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
  [K in EffectKind]: { kind: K } & Aim & ParametersOf<(typeof effectTable)[K]>;
}[EffectKind];

export type ActiveEffect = Span & { effect: Effect };

/** A ready-made effect of a kind. */
export function sampleEffect(kind: EffectKind): Effect {
  return { kind, ...effectTable[kind].sample } as Effect;
}

export function applyEffects(active: readonly ActiveEffect[], stage: Stage, exchange: Exchange): void {
  for (const { effect, ...span } of active) {
    const row = effectTable[effect.kind] as EffectRow<object>;
    const { endpoint, rate = 1 } = effect;
    if (row.stage !== stage) continue;
    if (endpoint !== undefined && endpoint !== exchange.question.endpoint) continue;
    if (stage === "refuse" && exchange.status !== undefined) continue;
    if (!row.perRecord && roll(hashText(effect.kind), exchange.number, 0) >= rate) continue;
    row.apply(effect, exchange, span);
  }
}
