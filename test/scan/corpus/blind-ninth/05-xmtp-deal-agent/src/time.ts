const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export function formatDistanceToNow(date: Date): string {
  const ms = Date.now() - date.getTime()
  for (const [unit, size] of UNITS) {
    if (ms >= size) {
      const n = Math.floor(ms / size)
      return `${n} ${unit}${n === 1 ? '' : 's'}`
    }
  }
  return 'moments'
}
