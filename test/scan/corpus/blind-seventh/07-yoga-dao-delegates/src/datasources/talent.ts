import DataLoader from 'dataloader'
import { GraphQLError } from 'graphql'
import type { ZodType, ZodTypeDef } from 'zod'
import {
  credentialsEnvelope,
  listEnvelope,
  passportEnvelope,
  type Credential,
  type Passport,
} from './talent.schemas.js'

export interface TalentOptions {
  baseUrl: string
  apiKey?: string
  fetch?: typeof globalThis.fetch
}

export function createTalent({ baseUrl, apiKey, fetch = globalThis.fetch }: TalentOptions) {
  async function read<T>(path: string, schema: ZodType<T, ZodTypeDef, unknown>): Promise<T> {
    const response = await fetch(new URL(path, baseUrl), { headers: apiKey ? { 'X-API-KEY': apiKey } : {} })
    if (!response.ok) {
      throw new GraphQLError('Reputation is not available', {
        extensions: { code: 'UPSTREAM', status: response.status },
      })
    }
    const parsed = schema.safeParse(await response.json())
    if (!parsed.success) throw new GraphQLError('Reputation has an unknown shape', { originalError: parsed.error })
    return parsed.data
  }

  const passports = new DataLoader<string, Passport | null>((addresses) =>
    Promise.all(
      addresses.map(async (address) => {
        try {
          const { passport } = await read(`/api/v1/passports/${address}`, passportEnvelope)
          return passport
        } catch (error) {
          if (error instanceof GraphQLError && error.extensions.status === 404) return null
          return error as Error
        }
      }),
    ),
  )

  const credentials = new DataLoader<number, Credential[]>(async (ids) => {
    const settled = await Promise.allSettled(
      ids.map((id) => read(`/api/v1/passport_credentials?passport_id=${id}`, credentialsEnvelope)),
    )
    return settled.map((s) => (s.status === 'fulfilled' ? s.value.passport_credentials : []))
  })

  return {
    passports,
    credentials,
    list: (page: number, keyword?: string | null) =>
      read(`/api/v1/passports?${new URLSearchParams({ page: `${page}`, ...(keyword ? { keyword } : {}) })}`, listEnvelope),
  }
}

export type Talent = ReturnType<typeof createTalent>
