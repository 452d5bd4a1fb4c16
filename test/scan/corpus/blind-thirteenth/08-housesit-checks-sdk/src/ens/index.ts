import type { Check, SitterReport } from '../core/check.js'
import { createTransport, TransportError } from '../core/transport.js'

interface EnsIdeas {
  address: string
  name: string | null
  displayName: string
}

export class EnsCheck implements Check {
  readonly provider = 'ens'
  readonly #send = createTransport({ baseUrl: 'https://api.ensideas.com/ens' })

  async report(subject: string): Promise<SitterReport> {
    try {
      const record = (await this.#send(`resolve/${subject}`)) as EnsIdeas
      const score = record.name ? 0.2 : 0
      return { provider: 'ens', subject, score, human: false, name: record.displayName, evidence: [] }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      return { provider: 'ens', subject, score: 0, human: false, evidence: [] }
    }
  }
}
