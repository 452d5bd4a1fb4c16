// The defaults of options that the help states and the commands apply.
import { sharedBurst } from "../probe/schedule/shared-budget.ts";

export const pagePort = 4180;
export const simulatorPort = 4181;
/** The one after it is that of the simulated V2. */
export const rehearsalPort = 4183;

/** A Monday's midnight, so that the hours of the scenarios are hours of the day. */
export const replayStart = "2026-03-02T00:00:00Z";
export const replayDays = 30;

/** Requests in any 10 s. The rate for V1 leaves capacity for a watch that uses the same V1. */
export const parityRates = { V1: sharedBurst, V2: 20 } as const;
export const paritySample = 50;
/** A tenth of the monthly quota of a free key. */
export const parityRequests = 500;

export const reportDays = 90;
