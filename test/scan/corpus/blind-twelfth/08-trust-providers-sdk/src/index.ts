import type { TrustProvider, TrustSignal } from './provider.js'

export { EthosProvider } from './ethos.js'
export { TalentProvider } from './talent/provider.js'
export type { PassportDto, CredentialDto } from './talent/types.js'
export * from './provider.js'

export async function gather(providers: TrustProvider[], subject: string): Promise<TrustSignal[]> {
  const settled = await Promise.allSettled(providers.map((p) => p.lookup(subject)))
  return settled.flatMap((r) => (r.status === 'fulfilled' && r.value ? [r.value] : []))
}

export function blend(signals: TrustSignal[], weights: Record<string, number>): number {
  let total = 0
  for (const { provider, score } of signals) total += score * (weights[provider] ?? 1)
  return total / Math.max(1, signals.length)
}
