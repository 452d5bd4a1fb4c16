type Patch = Record<string, unknown>;

const store = new Map<string, Patch>();

export const db = {
  users: {
    async update(id: string, patch: Patch) {
      store.set(id, { ...store.get(id), ...patch });
    },
    async scoreOf(id: string) {
      const row = store.get(id) as { score?: number } | undefined;
      return row?.score ?? 0;
    },
  },
  credentials: {
    async upsert(row: { cid: string; type: string; earnedAt: string }) {
      store.set(row.cid, row);
      return row.type;
    },
  },
};
