import { boolean, integer, pgTable, real, serial, text, timestamp } from 'drizzle-orm/pg-core'

export const passports = pgTable('passports', {
  passportId: serial('passport_id').primaryKey(),
  displayName: text('display_name').notNull(),
  club: text('club').notNull(),
  score: real('score').notNull().default(0),
  latinScore: real('latin_score').notNull().default(0),
  verified: boolean('verified').notNull().default(false),
  lastCalculatedAt: timestamp('last_calculated_at', { mode: 'string' }),
})

export const credentials = pgTable('passport_credentials', {
  id: serial('id').primaryKey(),
  passportId: integer('passport_id').references(() => passports.passportId),
  name: text('name').notNull(),
  category: text('category', { enum: ['Standard', 'Latin', 'Adjudicator'] }).notNull(),
  earnedAt: timestamp('earned_at', { mode: 'string' }).notNull(),
})
