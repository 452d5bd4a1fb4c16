import type { Credential } from '~/services/talent.schema'

export interface CredentialGroup {
  category: string
  score: number
  names: string[]
}

export function groupByCategory(credentials: Credential[]): CredentialGroup[] {
  const groups = new Map<string, CredentialGroup>()
  for (const credential of credentials) {
    const group = groups.get(credential.category) ?? { category: credential.category, score: 0, names: [] }
    group.score += credential.score
    group.names.push(credential.name)
    groups.set(group.category, group)
  }
  return [...groups.values()].sort((a, b) => b.score - a.score)
}
