import knex from 'knex'

export const db = knex({
  client: 'sqlite3',
  connection: { filename: process.env.DB_FILE ?? ':memory:' },
  useNullAsDefault: true,
})

export async function migrate() {
  await db.schema.createTable('passports', (t) => {
    t.string('passport_id').primary()
    t.string('display_name')
    t.integer('score').defaultTo(0)
    t.timestamp('last_visit_at')
  })
  await db.schema.createTable('stamps', (t) => {
    t.increments('id')
    t.string('passport_id').references('passports.passport_id')
    t.string('winery')
    t.string('category')
    t.integer('score')
    t.timestamp('earned_at').defaultTo(db.fn.now())
  })
}
