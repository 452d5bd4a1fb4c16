import type { Config } from "../config/config.ts";

export const memoryMb = { probe: 256, assess: 512, report: 512 } as const;

/** Two requests at their deadline, and time to write down what came of them. */
export const probeTimeoutSeconds = ({ timeouts }: Config) =>
  Math.ceil((2 * timeouts.deadlineMs) / 1_000) + 20;
