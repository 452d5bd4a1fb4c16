import { getJson } from './http.mjs'

const PASSPORTS_URL = 'https://api.talentprotocol.com/api/v1/passports'
const talentHeaders = { 'X-API-KEY': process.env.TALENT_API_KEY }

export async function* allPassports(maxPages = 20) {
  let page = 1
  let last = 1
  do {
    const query = new URLSearchParams({ page })
    const { passports, pagination } = await getJson(`${PASSPORTS_URL}?${query}`, talentHeaders)
    yield* passports
    last = pagination.last_page
    page = pagination.current_page + 1
  } while (page <= Math.min(last, maxPages))
}

export async function socialsOf(passportId) {
  const body = await getJson(`${PASSPORTS_URL}/${passportId}`, talentHeaders)
  return body.passport.passport_socials
}

export async function githubUser(login) {
  try {
    const user = await getJson(`https://api.github.com/users/${login}`, {
      Authorization: `Bearer ${process.env.GITHUB_TOKEN}`,
    })
    return { login: user.login, location: user.location, bio: user.bio, followers: user.followers }
  } catch {
    return null
  }
}
