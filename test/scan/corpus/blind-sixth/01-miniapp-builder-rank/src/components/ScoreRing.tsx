import type { RankCard } from '../lib/types'

type Props = { score: number; parts: RankCard['parts']; busy: boolean }

export function ScoreRing({ score, parts, busy }: Props) {
  const total = parts.activity + parts.identity + parts.skills || 1
  const deg = (n: number) => (n / total) * 360
  const a = deg(parts.activity)
  const b = a + deg(parts.identity)
  return (
    <div
      className={busy ? 'ring busy' : 'ring'}
      style={{ background: `conic-gradient(#5b5bd6 ${a}deg, #30a46c ${a}deg ${b}deg, #f76b15 ${b}deg)` }}
    >
      <strong>{score}</strong>
    </div>
  )
}
