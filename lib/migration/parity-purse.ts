// Where a comparison's requests to V1 come from. V2 has a key of its own: what it is asked follows from the
// passports, and is counted and said, not budgeted.

export type HeldBy = "requests" | "watch" | "store";

export type Aside = {
  /** As many as there are, in whole units. */
  requests: number;
  heldBy?: HeldBy;
  giveBack(unused: number): Promise<void>;
};

export type Purse = { setAside(wanted: number, unit?: number): Promise<Aside> };

export const endlessPurse: Purse = {
  setAside: async (wanted) => ({ requests: wanted, giveBack: async () => {} }),
};

/** No more than so many in all, of what another purse has. */
export function boundPurse(bound: number, from: Purse = endlessPurse): Purse {
  let left = bound;
  return {
    async setAside(wanted, unit = 1) {
      const asked = Math.floor(Math.min(wanted, left) / unit) * unit;
      if (asked === 0) return { requests: 0, heldBy: "requests", giveBack: async () => {} };
      // Before anybody else's turn, so that two batches cannot take the same.
      left -= asked;
      const aside = await from.setAside(asked, unit);
      left += asked - aside.requests;
      return {
        ...(asked < wanted && { heldBy: "requests" as const }),
        ...aside,
        async giveBack(unused) {
          left += unused;
          await aside.giveBack(unused);
        },
      };
    },
  };
}
