export const pricesDate = "2026-11-15";

/** US dollars: for one unit, and how many units a month the always-free tier gives to an account. */
export const prices = {
  metric: { usd: 0.3, free: 10 },
  /** An alarm on an expression is billed for every metric in it. */
  alarmMetric: { usd: 0.1, free: 10 },
  compositeAlarm: { usd: 0.5, free: 0 },
  /** Left out of the estimate: printed beside it, because an account's first three cost nothing. */
  dashboard: { usd: 3, free: 3 },
  putMetricData: { usd: 0.01 / 1_000, free: 1_000_000 },
  logGb: { usd: 0.53, free: 5 },
  lambdaRequest: { usd: 0.2 / 1_000_000, free: 1_000_000 },
  lambdaArmGbSecond: { usd: 0.0000133334, free: 400_000 },
  lambdaX86GbSecond: { usd: 0.0000166667, free: 400_000 },
  schedule: { usd: 1 / 1_000_000, free: 14_000_000 },
  tableWrite: { usd: 0.625 / 1_000_000, free: 0 },
  tableRead: { usd: 0.125 / 1_000_000, free: 0 },
  tableGb: { usd: 0.25, free: 25 },
  tableBackupGb: { usd: 0.2, free: 0 },
  key: { usd: 1, free: 0 },
  keyRequest: { usd: 0.03 / 10_000, free: 20_000 },
  secret: { usd: 0.4, free: 0 },
  email: { usd: 2 / 100_000, free: 1_000 },
  queueRequest: { usd: 0.4 / 1_000_000, free: 1_000_000 },
  canaryRun: { usd: 0.0012, free: 100 },
} as const;

type Priced = keyof typeof prices;
export type Counts = Partial<Record<Priced, number>>;
export type CostLine = { line: string; usd: number; freeTierUsd: number };

export function price(line: string, counts: Counts): CostLine {
  const rows = Object.entries(counts).map(([name, count]) => ({ ...prices[name as Priced], count }));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    line,
    usd: sum(rows.map(({ usd, count }) => usd * count)),
    freeTierUsd: sum(rows.map(({ usd, count, free }) => usd * Math.max(0, count - free))),
  };
}
