export type LimitedBy = "requests" | "watch" | "store";

export type Reservation = {
  /** The number of reserved requests, a multiple of the unit. */
  requests: number;
  limitedBy?: LimitedBy | undefined;
  release(unused: number): Promise<void>;
};

export type RequestBudget = { reserve(requested: number, unit?: number): Promise<Reservation> };

export const unlimitedBudget: RequestBudget = {
  reserve: async (requested) => ({ requests: requested, release: async () => {} }),
};

/** Caps another budget at a total number of requests. */
export function limitedBudget(limit: number, from: RequestBudget = unlimitedBudget): RequestBudget {
  let remaining = limit;
  return {
    async reserve(requested, unit = 1) {
      const granted = Math.floor(Math.min(requested, remaining) / unit) * unit;
      if (granted === 0) return { requests: 0, limitedBy: "requests", release: async () => {} };
      // Subtracted before the first await, so that two batches cannot reserve the same requests.
      remaining -= granted;
      const reservation = await from.reserve(granted, unit);
      remaining += granted - reservation.requests;
      return {
        ...reservation,
        limitedBy: reservation.limitedBy ?? (granted < requested ? "requests" : undefined),
        async release(unused) {
          remaining += unused;
          await reservation.release(unused);
        },
      };
    },
  };
}
