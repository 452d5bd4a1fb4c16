'use client'

import type { ReactNode } from 'react'
import { useAccount } from 'wagmi'
import { usePassport, useSubmitPassport } from '@/hooks/usePassport'

const THRESHOLD = 20

export function PassportGate({ children }: { children: ReactNode }) {
  const { address } = useAccount()
  const { data: passport, isLoading } = usePassport(address)
  const submit = useSubmitPassport(address)

  if (isLoading) return <p>Checking your passport…</p>
  const score = passport?.score ?? 0
  if (score >= THRESHOLD) return <>{children}</>

  return (
    <div>
      <p>
        Your passport score is {score}, you need {THRESHOLD}.
      </p>
      <ul>
        {passport?.credentials.map((c) => (
          <li key={c.name}>
            {c.name} ({c.category}) since {new Date(c.earned_at).toDateString()}
          </li>
        ))}
      </ul>
      <button onClick={() => submit.mutate()} disabled={submit.isPending}>
        Submit passport
      </button>
    </div>
  )
}
