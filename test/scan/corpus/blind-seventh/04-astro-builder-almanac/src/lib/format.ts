export function initials(text: string) {
  return text
    .split(/\s+/)
    .slice(0, 2)
    .map((w) => w[0]?.toUpperCase())
    .join('')
}

export function rank(points: number) {
  if (points >= 150) return 'Master'
  if (points >= 80) return 'Journeyman'
  return 'Apprentice'
}

export function day(iso: string | null) {
  return iso ? new Date(iso).toLocaleDateString('en-GB', { dateStyle: 'long' }) : 'an unknown day'
}

export function groupBy<T>(items: T[], key: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return [...groups]
}
