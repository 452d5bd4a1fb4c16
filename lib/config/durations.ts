const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function durationMs(text: string): number {
  return Number(text.slice(0, -1)) * unitsMs[text.at(-1) as keyof typeof unitsMs];
}
