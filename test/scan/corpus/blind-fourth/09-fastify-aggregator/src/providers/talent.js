import { request } from 'undici'

const BASE = process.env.TALENT_BASE_URL

export async function talentScore(address) {
  const { statusCode, body } = await request(`${BASE}/api/v1/passports/${address}`, {
    headers: { 'x-api-key': process.env.TALENT_API_KEY },
  })
  if (statusCode === 404) {
    await body.dump()
    return null
  }
  if (statusCode !== 200) {
    await body.dump()
    throw new Error(`talent answered ${statusCode}`)
  }
  const { passport } = await body.json()
  return {
    provider: 'talent',
    score: passport.score,
    human: passport.human_checkmark === true,
    updatedAt: passport.last_calculated_at,
    parts: {
      activity: passport.activity_score,
      identity: passport.identity_score,
      skills: passport.skills_score,
    },
  }
}
