import { useQuery } from '@tanstack/react-query'
import { github, talent } from '../lib/clients'
import { githubUser, partner, type GithubUser, type Partner } from '../lib/schemas'

async function fetchPartner(id: number): Promise<Partner> {
  const { passport } = await talent.get(`passports/${id}`).json<{ passport: unknown }>()
  return partner.parse(passport)
}

async function fetchGithub(login: string): Promise<GithubUser | null> {
  try {
    return githubUser.parse(await github.get(`users/${login}`).json())
  } catch {
    return null
  }
}

export function usePartner(id: number | null) {
  const profile = useQuery({
    queryKey: ['partner', id],
    queryFn: () => fetchPartner(id!),
    enabled: id !== null,
  })
  const login = profile.data?.github
  const gh = useQuery({ queryKey: ['github', login], queryFn: () => fetchGithub(login!), enabled: !!login })
  return { partner: profile.data, error: profile.error, github: gh.data }
}
