export async function up(knex) {
  await knex.schema.createTable('passport_profiles', (t) => {
    t.increments('passport_id')
    t.string('provider').notNullable()
    t.string('display_name')
    t.text('bio')
    t.string('location')
    t.integer('score').defaultTo(0)
  })
  await knex.schema.createTable('passport_credentials', (t) => {
    t.string('id').primary()
    t.integer('passport_id').references('passport_profiles.passport_id')
    t.binary('public_key').notNullable()
    t.integer('counter').defaultTo(0)
    t.string('type').defaultTo('platform')
    t.timestamp('earned_at').defaultTo(knex.fn.now())
  })
}

export async function down(knex) {
  await knex.schema.dropTable('passport_credentials')
  await knex.schema.dropTable('passport_profiles')
}
