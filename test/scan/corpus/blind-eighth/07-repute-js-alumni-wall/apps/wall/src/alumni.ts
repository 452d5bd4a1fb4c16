import { readFile } from 'node:fs/promises'
import { Repute, type Credential, type Passport } from '@alumni/repute'

const repute = new Repute({ apiKey: process.env.REPUTE_KEY!, baseUrl: process.env.REPUTE_URL })

export interface Alumnus {
  year: number
  wallet: string
  passport?: Passport
  highlights: Credential[]
}

const pickHighlights = (credentials: Credential[]) =>
  credentials
    .filter((c) => c.category !== 'Identity' && c.value)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)

export async function loadClass(year: number): Promise<Alumnus[]> {
  const roll: { year: number; wallet: string }[] = JSON.parse(await readFile('data/roll.json', 'utf8'))
  return Promise.all(
    roll
      .filter((r) => r.year === year)
      .map(async ({ wallet }) => {
        const passport = await repute.passports.find(wallet)
        const highlights = passport
          ? await repute.credentials.list(passport.passport_id).then(pickHighlights, () => [])
          : []
        return { year, wallet, passport, highlights }
      }),
  )
}

export async function newcomers(max = 20) {
  const names: string[] = []
  for await (const p of repute.passports.all('alumni', max)) {
    if (p.human_checkmark && p.passport_profile) {
      names.push(`${p.passport_profile.display_name} (${p.score})`)
    }
  }
  return names
}
