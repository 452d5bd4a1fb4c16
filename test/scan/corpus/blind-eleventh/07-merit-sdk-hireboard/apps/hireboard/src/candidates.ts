import { Merit, MeritApiError, type Passport, type PassportWithSocials } from '@hireboard/merit'
import { Octokit } from 'octokit'

const merit = new Merit({ apiKey: process.env.MERIT_KEY })
const octokit = new Octokit({ auth: process.env.GITHUB_TOKEN })

export interface Opening {
  id: string
  keywords: string[]
  location: string | 'remote'
  minimumScore: number
}

export interface Candidate {
  id: number
  name: string
  wallet: string | null
  score: number
  stars: number
}

function fits(opening: Opening, { passport_profile: { location, tags }, ...passport }: Passport): boolean {
  if (passport.calculating_score || passport.score < opening.minimumScore) return false
  if (opening.location !== 'remote' && location !== opening.location) return false
  return tags.some((tag) => opening.keywords.includes(tag))
}

async function starsOf(person: PassportWithSocials): Promise<number> {
  const github = person.passport_socials.find(({ source }) => source === 'github')
  if (!github?.profile_name) return 0
  const { data } = await octokit.rest.repos.listForUser({ username: github.profile_name, per_page: 100 })
  return data.reduce((sum, repo) => sum + (repo.stargazers_count ?? 0), 0)
}

export async function shortlist(opening: Opening, size = 10): Promise<Candidate[]> {
  const list: Candidate[] = []
  for await (const passport of merit.passports.iterate(opening.keywords[0])) {
    if (!fits(opening, passport)) continue
    const full = await merit.passports.retrieve(passport.passport_id)
    list.push({
      id: full.passport_id,
      name: full.passport_profile.display_name ?? 'Anonymous',
      wallet: full.main_wallet,
      score: full.score,
      stars: await starsOf(full),
    })
    if (list.length === size) break
  }
  return list.sort((a, b) => b.score + b.stars - (a.score + a.stars))
}

export async function skillPoints(candidate: Candidate): Promise<number> {
  try {
    const totals = await merit.credentials.totals(candidate.id)
    return totals.get('Skills') ?? 0
  } catch (e) {
    if (e instanceof MeritApiError) return 0
    throw e
  }
}
