import { config } from './config'

export async function quizScore(email: string): Promise<number> {
  const res = await fetch(`${config.quiz}/results/${encodeURIComponent(email)}`)
  if (!res.ok) return 0
  const { score } = await res.json()
  return score
}
