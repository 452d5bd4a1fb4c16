#!/usr/bin/env node
// node scripts/snapshot.mjs > public/top.json
const HOST = process.env.TALENT_HOST ?? 'https://api.talentprotocol.com'
const PAGES = Number(process.argv[2] ?? 4)

const top = []
for (let page = 1; page <= PAGES; page++) {
  const url = new URL('/api/v1/passports', HOST)
  url.searchParams.set('page', String(page))
  const res = await fetch(url, { headers: { 'X-API-KEY': process.env.TALENT_API_KEY } })
  if (res.status !== 200) {
    console.error(`page ${page}: ${res.status}`)
    process.exit(1)
  }
  const { passports, pagination } = await res.json()
  for (const { passport_id: id, score, passport_profile: { display_name: name = '' } = {} } of passports) {
    top.push({ id, score, name })
  }
  if (pagination.current_page === pagination.last_page) break
}

console.log(JSON.stringify({ takenAt: new Date().toISOString(), top }, null, 2))
