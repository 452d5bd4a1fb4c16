import type { ReactNode } from 'react'
import { useAccount } from 'wagmi'
import { usePassportScore } from '../hooks/usePassportScore'

export function Gate({ threshold = 20, children }: { threshold?: number; children: ReactNode }) {
  const { address } = useAccount()
  const { score, credentials, refresh } = usePassportScore(address)
  if (score >= threshold) return <>{children}</>
  return (
    <div>
      <p>
        Your passport score is {score}, you need {threshold}. Stamps: {credentials.length}
      </p>
      <button onClick={refresh}>Refresh</button>
      <a href="https://passport.gitcoin.co">Add stamps</a>
    </div>
  )
}
