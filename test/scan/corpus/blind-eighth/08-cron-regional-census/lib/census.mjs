import pLimit from 'p-limit'
import { ENDPOINTS, get } from './api.mjs'
import { regionOf } from './regions.mjs'
import { saveCredentials, savePerson, scoreOf } from './store.mjs'

const limit = pLimit(4)

async function* everybody(keyword, maxPages) {
  let page = 1
  while (page <= maxPages) {
    const { passports, pagination } = await get(ENDPOINTS.people, { page, ...(keyword ? { keyword } : {}) })
    yield* passports
    if (pagination.current_page === pagination.last_page) break
    page += 1
  }
}

const toRow = (p) => ({
  id: p.passport_id,
  name: p.passport_profile?.display_name?.trim() || null,
  place: p.passport_profile?.location ?? null,
  region: regionOf(p.passport_profile?.location),
  tags: (p.passport_profile?.tags ?? []).join('|'),
  score: p.score,
  activity: p.activity_score,
  identity: p.identity_score,
  skills: p.skills_score,
  human: p.human_checkmark ? 1 : 0,
  wallets: p.verified_wallets.length,
  calculated: p.last_calculated_at,
})

export async function runCensus(db, { keyword, pages }) {
  let people = 0
  let credentials = 0
  const jobs = []

  for await (const person of everybody(keyword, pages)) {
    if (person.calculating_score) continue
    savePerson(db, toRow(person))
    people++
    jobs.push(
      limit(async () => {
        const list = await get(ENDPOINTS.credentials, { passport_id: person.passport_id })
          .then((body) => body.passport_credentials)
          .catch((e) => {
            console.warn(e.message)
            return []
          })
        credentials += list.length
        saveCredentials(
          db,
          person.passport_id,
          list.map(({ id, type, category, score, max_score: max, earned_at: earned }) => ({
            id,
            type,
            category,
            score,
            max,
            earned,
          })),
        )
      }),
    )
  }

  await Promise.all(jobs)
  return { people, credentials }
}

export async function retake(db, ids) {
  const changed = []
  for (const id of ids) {
    const before = scoreOf(db, id)
    const { passport } = await get(ENDPOINTS.person(id))
    if (passport.merged) {
      console.warn(`${id} was merged into ${passport.passport_id}`)
    }
    savePerson(db, toRow(passport))
    const reach = passport.passport_socials.reduce((sum, s) => sum + parseInt(s.follower_count || '0', 10), 0)
    if (before !== passport.score) changed.push({ id, before, after: passport.score, reach })
  }
  return changed
}
