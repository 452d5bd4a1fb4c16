import Database from 'better-sqlite3'

export const db = new Database(process.env.GREENLINE_DB ?? 'greenline.sqlite')

db.exec(`
  create table if not exists passports (
    passport_id integer primary key,
    botanical_name text not null,
    registration text not null,
    trace_code text not null unique,
    origin text not null,
    score real,
    verified integer not null default 0,
    last_inspected_at text
  );
  create table if not exists passport_credentials (
    id text primary key,
    passport_id integer references passports(passport_id),
    type text not null,
    category text not null,
    issuer text not null,
    earned_at text
  );
`)

export interface PlantPassport {
  passport_id: number
  botanical_name: string
  registration: string
  trace_code: string
  origin: string
  score: number | null
  verified: 0 | 1
  last_inspected_at: string | null
}

export interface PhytoCredential {
  id: string
  passport_id: number
  type: 'phytosanitary' | 'protected_zone' | 'virus_free'
  category: string
  issuer: string
  earned_at: string | null
}
