import ky from 'ky'
import { TrustProvider, type TrustSignal } from './provider.js'

interface EthosUser {
  score: number
  displayName: string
  stats: { review: { received: { positive: number; negative: number } } }
}

export class EthosProvider extends TrustProvider {
  readonly name = 'ethos'
  readonly #http = ky.create({ prefixUrl: 'https://api.ethos.network/api/v2', headers: { 'X-Ethos-Client': 'trustmesh' } })

  async lookup(subject: string): Promise<TrustSignal> {
    const user = await this.#http.get(`user/by/address/${subject}`).json<EthosUser>()
    return {
      provider: this.name,
      subject,
      score: user.score,
      human: null,
      displayName: user.displayName,
      evidence: [{ label: 'Positive reviews', category: 'Social', points: user.stats.review.received.positive }],
    }
  }
}
