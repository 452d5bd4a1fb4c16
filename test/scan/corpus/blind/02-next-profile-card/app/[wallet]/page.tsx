'use client'
import { useParams } from 'next/navigation'
import { useCard } from '@/hooks/use-card'
import { initials } from '@/lib/card'

export default function CardPage() {
  const { wallet } = useParams<{ wallet: string }>()
  const { card, error, isLoading } = useCard(wallet)

  if (isLoading) return <p className="animate-pulse">Loading…</p>
  if (error || !card) return <p>Could not load this profile.</p>

  return (
    <main className="mx-auto max-w-xl p-6">
      <header className="flex items-center gap-4">
        <span className="rounded-full bg-zinc-800 p-4">{initials(card)}</span>
        <h1 className="text-2xl font-bold">{card.title}</h1>
        {card.isHuman && <span title="human">✔</span>}
      </header>
      <p>{card.about}</p>
      <p>
        {card.points} points · {card.walletCount} wallets
      </p>
      <ul>
        {card.links.map((l) => (
          <li key={l.network}>
            <a href={l.href}>{l.network}</a> ({l.followers})
          </li>
        ))}
      </ul>
      <ul className="grid grid-cols-2">
        {card.badges.map((b) => (
          <li key={b.label}>
            {b.label}: {b.detail}
          </li>
        ))}
      </ul>
    </main>
  )
}
