import { env } from './env'

export async function searchPerson(name: string) {
  const res = await fetch(`https://api.themoviedb.org/3/search/person?query=${encodeURIComponent(name)}`, {
    headers: { Authorization: `Bearer ${env.TMDB_TOKEN}` },
  })
  if (!res.ok) return null
  const { results } = await res.json()
  return results[0] as { id: number; popularity: number; known_for_department: string } | undefined
}
