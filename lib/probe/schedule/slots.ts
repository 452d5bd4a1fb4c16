// Slots of the clock: each endpoint has one in every `cadence.calm`, one endpoint after another. No check
// that is made outside of them moves them.
import type { Config } from "../../config/config.ts";
import { durationMs } from "../../config/values.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { ProbeState } from "../../records/probe-state.ts";

/** One endpoint after another has its slot: a round over all of them takes `cadence.calm`. */
export const slotLengthMs = ({ cadence }: Config) => durationMs(cadence.calm) / endpointIds.length;

/** The start of an endpoint's latest slot at an instant. */
export function slotStartMs(endpoint: EndpointId, tickMs: number, config: Config): number {
  const calmMs = durationMs(config.cadence.calm);
  const offsetMs = Math.floor(endpointIds.indexOf(endpoint) * slotLengthMs(config));
  return Math.floor((tickMs - offsetMs) / calmMs) * calmMs + offsetMs;
}

/** When an endpoint's next scheduled check is due: now or earlier where its slot was not used yet. */
export function scheduledAtMs(
  endpoint: EndpointId,
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  everyMs: number,
): number {
  const { slotMs } = probeState.endpoints[endpoint] ?? {};
  const startMs = slotStartMs(endpoint, tickMs, config);
  // A slot that is still to come was used by a clock that has since moved back.
  return slotMs === undefined || slotMs > startMs ? startMs : slotMs + everyMs;
}

/** Whether it is this endpoint's turn, in this round, to be requested anonymously in place of the key. */
export function isAnonymousTurn(endpoint: EndpointId, slotMs: number, config: Config): boolean {
  const round = Math.floor(slotMs / durationMs(config.cadence.calm));
  return round % endpointIds.length === endpointIds.indexOf(endpoint);
}

const minuteMs = 60_000;

/** Which sample of the rotation is requested: another one in each round, and in each extra check of a slot. */
export function sampleTurn(tickMs: number, config: Config): number {
  const calmMs = durationMs(config.cadence.calm);
  const unitMs = Math.min(minuteMs, durationMs(config.cadence.confirm));
  return Math.floor(tickMs / calmMs) + Math.floor((tickMs % calmMs) / unitMs);
}
