import { Kysely, PostgresDialect, type Generated } from 'kysely'
import pg from 'pg'

interface ReadingPassportTable {
  passport_id: Generated<number>
  child_name: string
  branch: string
  score: number
  created_at: Generated<Date>
}

interface StampTable {
  id: Generated<number>
  passport_id: number
  isbn: string
  category: 'Adventure' | 'Science' | 'Poetry'
  score: number
  earned_at: Date
}

export const db = new Kysely<{ reading_passports: ReadingPassportTable; stamps: StampTable }>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: process.env.DATABASE_URL }) }),
})
