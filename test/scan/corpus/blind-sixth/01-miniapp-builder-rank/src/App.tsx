import { sdk } from '@farcaster/miniapp-sdk'
import { useEffect, useState } from 'react'
import { ScoreRing } from './components/ScoreRing'
import { toNext } from './lib/levels'
import type { RankCard } from './lib/types'

export default function App() {
  const [card, setCard] = useState<RankCard>()
  const [error, setError] = useState<string>()

  useEffect(() => {
    sdk.quickAuth
      .fetch('/api/rank')
      .then(async (res) => {
        if (!res.ok) throw new Error((await res.json()).error)
        setCard(await res.json())
      })
      .catch((e) => setError(e.message))
      .finally(() => sdk.actions.ready())
  }, [])

  if (error) return <p className="error">{error}</p>
  if (!card) return null

  const share = () =>
    sdk.actions.composeCast({
      text: `I am a ${card.level} builder with ${card.score} points`,
      embeds: [`${window.location.origin}/?fid=${card.fid}`],
    })

  return (
    <main>
      <img src={card.avatar} alt="" width={72} />
      <h1>
        {card.name} {card.human && '✅'}
      </h1>
      <ScoreRing score={card.score} parts={card.parts} busy={card.pending} />
      <p>{toNext(card.score)} points to the next level</p>
      <p>
        {card.followers} followers, {card.wallets} wallets
      </p>
      {card.github && <a href={card.github}>GitHub</a>}
      <ul>
        {card.badges.map((b) => (
          <li key={b.id}>
            {b.label} <b>+{b.points}</b>
          </li>
        ))}
      </ul>
      <button onClick={share}>Share</button>
    </main>
  )
}
