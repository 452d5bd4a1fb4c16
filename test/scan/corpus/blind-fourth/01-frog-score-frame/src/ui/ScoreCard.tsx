import type { TalentPassport } from '../lib/talent'

type Props = { name: string; score: number; passport: TalentPassport | null }

const bar = (label: string, value: number) => (
  <div style={{ display: 'flex' }}>
    {label}: {value}
  </div>
)

export function ScoreCard({ name, score, passport }: Props) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column', background: '#111', color: '#fff' }}>
      <h1>{name}</h1>
      <h2>{score}</h2>
      {passport && (
        <div style={{ display: 'flex', flexDirection: 'column' }}>
          {bar('Activity', passport.activity_score)}
          {bar('Identity', passport.identity_score)}
          {bar('Skills', passport.skills_score)}
          {passport.human_checkmark ? <span>✅ human</span> : null}
        </div>
      )}
    </div>
  )
}
