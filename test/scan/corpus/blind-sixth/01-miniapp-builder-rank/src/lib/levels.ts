export const LEVELS = [
  { min: 120, title: 'Master' },
  { min: 80, title: 'Expert' },
  { min: 50, title: 'Practitioner' },
  { min: 20, title: 'Apprentice' },
  { min: 0, title: 'Novice' },
]

export function levelFor(score: number) {
  return LEVELS.find((l) => score >= l.min) ?? LEVELS[LEVELS.length - 1]
}

export function toNext(score: number) {
  const above = [...LEVELS].reverse().find((l) => l.min > score)
  return above ? above.min - score : 0
}
