const { request } = require('undici')

async function bestMarathon(athleteId, accessToken) {
  const { statusCode, body } = await request(`https://www.strava.com/api/v3/athletes/${athleteId}/stats`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  if (statusCode !== 200) return null
  const stats = await body.json()
  return { score: stats.ytd_run_totals.count, km: Math.round(stats.ytd_run_totals.distance / 1000) }
}

module.exports = { bestMarathon }
