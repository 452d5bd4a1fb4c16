import { readFile, writeFile } from 'node:fs/promises'
import { allPassports, githubUser, socialsOf } from './lib/sources.mjs'
import { inject, renderTable } from './render.mjs'

const COUNTRY = process.env.COUNTRY ?? 'Portugal'
const builders = []

for await (const p of allPassports()) {
  const { display_name, location } = p.passport_profile ?? {}
  if (!p.human_checkmark || !location?.includes(COUNTRY)) continue

  const socials = await socialsOf(p.passport_id)
  const login = socials.find((s) => s.source === 'github')?.profile_name
  builders.push({
    name: display_name ?? `#${p.passport_id}`,
    location,
    score: p.score,
    github: login ? await githubUser(login) : null,
  })
  if (builders.length === 25) break
}

if (builders.length === 0) {
  console.error('no builders found, leaving the README alone')
  process.exit(1)
}

builders.sort((a, b) => b.score - a.score)
const readme = await readFile('README.md', 'utf8')
await writeFile('README.md', inject(readme, renderTable(builders)))
await writeFile('data/top.json', JSON.stringify(builders, null, 2))
