import knex from 'knex'

export const db = knex({ client: 'pg', connection: process.env.DATABASE_URL })

export async function findProfile(id) {
  const row = await db('passport_profiles').where({ passport_id: id }).first()
  return row ?? null
}

export async function credentialsOf(id) {
  try {
    return await db('passport_credentials').where({ passport_id: id })
  } catch (err) {
    console.error(err)
    return []
  }
}
