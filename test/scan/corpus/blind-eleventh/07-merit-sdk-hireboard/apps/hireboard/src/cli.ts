import { parseArgs } from 'node:util'
import { shortlist, skillPoints } from './candidates'
import openings from '../openings.json' with { type: 'json' }

const { values } = parseArgs({ options: { opening: { type: 'string' }, size: { type: 'string', default: '10' } } })
const opening = openings.find((o) => o.id === values.opening)
if (!opening) throw new Error(`no opening ${values.opening}`)

const rows = await shortlist(opening, Number(values.size))
console.table(
  await Promise.all(rows.map(async (c) => ({ name: c.name, score: c.score, stars: c.stars, skills: await skillPoints(c) }))),
)
