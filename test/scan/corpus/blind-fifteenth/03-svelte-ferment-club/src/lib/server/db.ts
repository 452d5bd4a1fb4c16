import { drizzle } from 'drizzle-orm/libsql';
import { eq } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { DATABASE_URL } from '$env/static/private';

export const starters = sqliteTable('starters', {
	id: integer('id').primaryKey(),
	owner: text('owner').notNull(),
	name: text('name').notNull(),
	type: text('type', { enum: ['kombucha', 'sourdough', 'kefir', 'koji'] }).notNull(),
	bornAt: text('born_at').notNull()
});

const db = drizzle(DATABASE_URL);

export const startersOf = (wallet: string) =>
	db.select().from(starters).where(eq(starters.owner, wallet.toLowerCase()));
