// The settings of a comparison in AWS with small limits.
import type { ComparisonSettings } from "../../lib/records/parity.ts";

export const settings: ComparisonSettings = {
  schema: "v1watch/comparison/1",
  run: "2026-11-16T0200-abcd",
  startedAt: "2026-11-16T02:00:00.000Z",
  compared: {
    v1: "https://api.example.com",
    v2: "https://v2.example.com",
    contract: "fedcba9876543210",
    mapping: "0123456789abcdef",
  },
  cohort: { passports: 1_000, compared: 300, check: "beef" },
  chunks: 2,
  chunkSize: 150,
  concurrency: 4,
  shards: 1,
  secondReadDelayMs: 0,
  limits: { v1: { rate: 10, requests: 1_000 }, v2: { rate: 20, requests: 500 } },
};
