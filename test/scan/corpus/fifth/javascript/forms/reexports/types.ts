export type Summary = { id: number; points: number; name: string };
