import Database from 'better-sqlite3'
import type { Wire } from '../talent/models.js'

const db = new Database(process.env.LEDGER_DB ?? 'ledger.sqlite')
db.exec(`
  CREATE TABLE IF NOT EXISTS scores (
    passport_id INTEGER, score REAL, activity REAL, skills REAL, tags TEXT, at TEXT,
    PRIMARY KEY (passport_id, at)
  );
  CREATE TABLE IF NOT EXISTS credentials (id TEXT PRIMARY KEY, passport_id INTEGER, type TEXT, score REAL, updated TEXT);
`)

const insertScore = db.prepare('INSERT OR IGNORE INTO scores VALUES (?, ?, ?, ?, ?, ?)')
const upsertCredential = db.prepare(
  'INSERT INTO credentials VALUES (@id, @owner, @type, @score, @updated) ON CONFLICT(id) DO UPDATE SET score = @score',
)

export const remember = db.transaction((p: Wire.Passport, credentials: Wire.Credential[]) => {
  insertScore.run(
    p.passport_id,
    p.score,
    p.activity_score,
    p.skills_score,
    p.passport_profile?.tags?.join(',') ?? null,
    p.last_calculated_at,
  )
  for (const { id, type, score, last_calculated_at: updated } of credentials) {
    upsertCredential.run({ id, owner: p.passport_id, type, score, updated })
  }
})

export function best(passportId: number): number {
  const row = db.prepare('SELECT MAX(score) AS score FROM scores WHERE passport_id = ?').get(passportId) as { score: number }
  return row?.score ?? 0
}
