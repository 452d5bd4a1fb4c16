import { request } from 'undici'

const SCORER = 'https://api.scorer.gitcoin.co'

export async function gitcoinScore(address) {
  const url = `${SCORER}/registry/score/${process.env.GITCOIN_SCORER_ID}/${address}`
  const { statusCode, body } = await request(url, { headers: { 'X-API-KEY': process.env.GITCOIN_API_KEY } })
  if (statusCode !== 200) throw new Error(`gitcoin answered ${statusCode}`)
  const result = await body.json()
  return {
    provider: 'gitcoin',
    score: Number(result.score),
    human: Number(result.score) >= 20,
    updatedAt: result.last_score_timestamp,
    stamps: Object.keys(result.stamp_scores ?? {}).length,
  }
}
