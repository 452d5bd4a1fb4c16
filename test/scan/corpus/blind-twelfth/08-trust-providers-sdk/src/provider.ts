export interface TrustSignal {
  provider: string
  subject: string
  score: number
  human: boolean | null
  displayName?: string
  evidence: Evidence[]
  updatedAt?: Date
}

export interface Evidence {
  label: string
  category: string
  points: number
}

export abstract class TrustProvider {
  abstract readonly name: string
  abstract lookup(subject: string): Promise<TrustSignal | null>
}

export class ProviderError extends Error {
  constructor(
    readonly provider: string,
    readonly status: number | undefined,
    cause: unknown,
  ) {
    super(`${provider} failed${status ? ` with ${status}` : ''}`, { cause })
    this.name = 'ProviderError'
  }
}
