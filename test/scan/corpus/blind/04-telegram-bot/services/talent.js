const fetch = require('node-fetch')

const BASE = process.env.TALENT_BASE_URL
const opts = { headers: { 'X-API-KEY': process.env.TALENT_API_KEY } }

async function getScore(wallet) {
  try {
    const response = await fetch(BASE + '/api/v1/passports/' + wallet, opts)
    const json = await response.json()
    return json.passport.score
  } catch (err) {
    console.log('getScore failed', err.message)
    return 0
  }
}

async function getProfile(wallet) {
  const response = await fetch(BASE + '/api/v1/passports/' + wallet, opts)
  const json = await response.json()
  return json.passport && json.passport.passport_profile ? json.passport.passport_profile : null
}

async function getCredentials(wallet) {
  const url = new URL('/api/v1/passport_credentials', BASE)
  url.searchParams.set('passport_id', wallet)
  const response = await fetch(url, opts)
  const { passport_credentials: list } = await response.json()
  return list || []
}

module.exports = { getScore, getProfile, getCredentials }
