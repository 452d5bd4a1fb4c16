import postgres from 'postgres'
import type { CoachCredential, PlayerPassport } from './schema.js'

const sql = postgres(process.env.DATABASE_URL!)

export async function playerPassport(id: number): Promise<PlayerPassport | undefined> {
  const [row] = await sql<PlayerPassport[]>`
    select p.id as passport_id, p.display_name, p.location, s.score, s.last_calculated_at,
           coalesce(json_agg(sp order by sp.from) filter (where sp.id is not null), '[]') as spells
    from players p
    join scouting_scores s on s.player_id = p.id
    left join spells sp on sp.player_id = p.id
    where p.id = ${id}
    group by p.id, s.score, s.last_calculated_at`
  return row
}

export async function searchPlayers(keyword: string, page: number, size = 50) {
  const rows = await sql<PlayerPassport[]>`
    select * from player_passports
    where display_name ilike ${`%${keyword}%`}
    order by score desc limit ${size} offset ${(page - 1) * size}`
  const [{ count }] = await sql<{ count: number }[]>`select count(*)::int from player_passports`
  return { rows, pagination: { current_page: page, last_page: Math.ceil(count / size), total: count } }
}

export const coachCredentials = (coachId: number) =>
  sql<CoachCredential[]>`select id, name, type, earned_at from coach_credentials where coach_id = ${coachId}`
