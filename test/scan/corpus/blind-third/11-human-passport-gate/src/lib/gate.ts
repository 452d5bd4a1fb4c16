import { getPassportCredentials, getPassportScore } from './scorer'

export interface Passport {
  address: string
  score: number
  passes: boolean
  providers: string[]
}

export async function loadPassport(address: string): Promise<Passport> {
  const [result, credentials] = await Promise.all([getPassportScore(address), getPassportCredentials(address)])
  return {
    address: result.address,
    score: Number(result.score ?? 0),
    passes: result.passing_score,
    providers: credentials.map((c) => c.credential.credentialSubject.provider),
  }
}
