import 'reflect-metadata'
import { ActionProvider, CreateAction, type Network } from '@coinbase/agentkit'
import type { z } from 'zod'
import { createTalentHttp, type TalentOptions } from './http.js'
import {
  CheckNotarySchema,
  CredentialsEnvelope,
  FindNotariesSchema,
  PassportEnvelope,
  PassportPage,
  type Passport,
} from './schemas.js'

const LEGAL_TYPES = new Set(['world_id', 'passport_nfc', 'coinbase_verified'])

export class NotaryActionProvider extends ActionProvider {
  readonly #get

  constructor(options: TalentOptions = {}) {
    super('notary', [])
    this.#get = createTalentHttp(options)
  }

  @CreateAction({
    name: 'check_notary',
    description: 'Checks whether a wallet may act as a notary for an onchain signature.',
    schema: CheckNotarySchema,
  })
  async checkNotary(args: z.infer<typeof CheckNotarySchema>): Promise<string> {
    try {
      const { passport } = await this.#get('passports', PassportEnvelope, { id: args.walletAddress })
      const seals = await this.legalSeals(passport)
      const accepted = passport.human_checkmark && passport.score >= args.minScore && seals.length > 0

      return [
        `${nameOf(passport)} ${accepted ? 'may' : 'may not'} notarise.`,
        `Score ${passport.score} (identity ${passport.identity_score}), needed ${args.minScore}.`,
        `Seals: ${seals.join(', ') || 'none'}.`,
        `Wallets: ${passport.verified_wallets?.length ?? 0}.`,
        passport.last_calculated_at ? `As of ${passport.last_calculated_at}.` : 'Never calculated.',
      ].join('\n')
    } catch (error) {
      return `Error checking notary: ${error instanceof Error ? error.message : error}`
    }
  }

  @CreateAction({
    name: 'find_notaries',
    description: 'Finds possible notaries by name.',
    schema: FindNotariesSchema,
  })
  async findNotaries({ keyword }: z.infer<typeof FindNotariesSchema>): Promise<string> {
    const page = await this.#get('passports', PassportPage, { query: { keyword } })
    const lines = page.passports
      .filter((p) => p.human_checkmark)
      .map((p) => `- ${nameOf(p)}, ${p.passport_profile?.location ?? 'somewhere'}: ${p.score}`)
    return `${page.pagination.total} matches\n${lines.join('\n')}`
  }

  supportsNetwork = (_network: Network) => true

  private async legalSeals(passport: Passport): Promise<string[]> {
    try {
      const { passport_credentials: credentials } = await this.#get('credentials', CredentialsEnvelope, {
        query: { passport_id: `${passport.passport_id}` },
      })
      return credentials
        .filter((c) => c.category === 'Identity' && LEGAL_TYPES.has(c.type) && c.earned_at)
        .map((c) => c.name)
    } catch {
      return []
    }
  }
}

function nameOf(passport: Passport): string {
  return passport.passport_profile?.display_name ?? `Passport ${passport.passport_id}`
}

export const notaryActionProvider = (options?: TalentOptions) => new NotaryActionProvider(options)
