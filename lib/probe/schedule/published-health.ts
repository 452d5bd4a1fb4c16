// A healthy state is published until CloudWatch has accepted it, and not again while it holds: CloudWatch
// bills a metric for each hour in which it receives a data point.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type {
  ConfirmationReason,
  ProbeState,
  PublishedHealth,
  PublishedHealthByEndpoint,
} from "../../records/probe-state.ts";

export function readPublishedHealth({ endpoints }: ProbeState): PublishedHealthByEndpoint {
  return Object.fromEntries(
    endpointIds.map((endpoint) => [endpoint, endpoints[endpoint]?.lastPublished ?? {}]),
  );
}

/** Removes from the published states what a failed check contradicts. */
export function retainPublishedHealth(
  { answers, fits }: PublishedHealth,
  why: ConfirmationReason | undefined,
): PublishedHealth {
  const isDrift = why === "drift" || why === "notice";
  return {
    ...(answers && (!why || isDrift) && { answers }),
    ...(fits && !isDrift && { fits }),
  };
}

export const hasUnpublishedHealth = (
  { answers, fits }: PublishedHealth,
  published: PublishedHealth = {},
): boolean => (answers && !published.answers) || (fits && !published.fits) || false;

/** Records what CloudWatch accepted from a tick, unless V1 was checked again since `checkedMs`. */
export function recordPublishedHealth(
  probeState: ProbeState,
  endpoint: EndpointId,
  checkedMs: number,
  health: PublishedHealth,
): ProbeState {
  const state = probeState.endpoints[endpoint];
  if (!state || !hasUnpublishedHealth(health, state.lastPublished)) return probeState;
  if ((state.lastMs.authenticated ?? 0) > checkedMs) return probeState;
  const lastPublished = { ...state.lastPublished, ...health };
  return { ...probeState, endpoints: { ...probeState.endpoints, [endpoint]: { ...state, lastPublished } } };
}
