import { boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

export const auditors = pgTable('auditors', {
  wallet: text('wallet').primaryKey(),
  passportId: integer('passport_id'),
  handle: text('handle'),
  score: integer('score').notNull().default(0),
  human: boolean('human').notNull().default(false),
  badges: jsonb('badges').$type<string[]>().notNull().default([]),
  scoredAt: timestamp('scored_at', { withTimezone: true }),
  refreshedAt: timestamp('refreshed_at', { withTimezone: true }).defaultNow(),
})

export const submissions = pgTable('submissions', {
  id: text('id').primaryKey(),
  wallet: text('wallet').references(() => auditors.wallet),
  severity: text('severity').notNull(),
  score: integer('score'),
})
