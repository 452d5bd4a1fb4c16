import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { allPeople, regions } from './store.mjs'

export async function writeCsv(db, file) {
  await pipeline(Readable.from(allPeople(db)), stringify({ header: true }), createWriteStream(file))
}

export async function writeSummary(db, file) {
  const rows = regions(db).map((r) => ({
    region: r.region,
    people: r.people,
    score: Math.round(r.score * 10) / 10,
    humanShare: r.people ? r.humans / r.people : 0,
  }))
  await writeFile(file, JSON.stringify({ at: new Date().toISOString(), rows }, null, 2))
}
