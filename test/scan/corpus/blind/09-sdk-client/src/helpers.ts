import type { PassportClient } from './client'
import type { Credential, Passport } from './types'

export const isMain = (passport: Passport, wallet: string) =>
  passport.main_wallet.toLowerCase() === wallet.toLowerCase()

export function groupByCategory(credentials: Credential[]) {
  const groups = new Map<string, Credential[]>()
  for (const credential of credentials) {
    const { category } = credential
    groups.set(category, [...(groups.get(category) ?? []), credential])
  }
  return groups
}

export const latest = (credentials: Credential[]) =>
  credentials.map((c) => Date.parse(c.last_calculated_at)).sort((a, b) => b - a)[0]

export async function scoreOrZero(client: PassportClient, wallet: string) {
  return client
    .get(wallet)
    .then((p) => p.score ?? 0)
    .catch(() => 0)
}
