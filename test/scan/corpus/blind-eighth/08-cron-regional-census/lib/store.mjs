import Database from 'better-sqlite3'

export function openDb(file) {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.exec(`
    CREATE TABLE IF NOT EXISTS people (
      id INTEGER PRIMARY KEY, name TEXT, place TEXT, region TEXT, tags TEXT, score REAL,
      activity REAL, identity REAL, skills REAL, human INTEGER, wallets INTEGER, calculated TEXT
    );
    CREATE TABLE IF NOT EXISTS credentials (
      id TEXT, person INTEGER, type TEXT, category TEXT, score REAL, max REAL, earned TEXT,
      PRIMARY KEY (id, person)
    );
  `)
  return db
}

export function savePerson(db, row) {
  db.prepare(
    `INSERT OR REPLACE INTO people
     VALUES (@id, @name, @place, @region, @tags, @score, @activity, @identity, @skills, @human, @wallets, @calculated)`,
  ).run(row)
}

export function saveCredentials(db, person, rows) {
  const insert = db.prepare(
    'INSERT OR REPLACE INTO credentials VALUES (@id, @person, @type, @category, @score, @max, @earned)',
  )
  db.transaction((all) => all.forEach((r) => insert.run({ ...r, person })))(rows)
}

export const scoreOf = (db, id) => db.prepare('SELECT score FROM people WHERE id = ?').get(id)?.score

export const regions = (db) =>
  db
    .prepare(
      `SELECT region, count(*) AS people, avg(score) AS score, sum(human) AS humans
       FROM people GROUP BY region ORDER BY score DESC`,
    )
    .all()

export const allPeople = (db) => db.prepare('SELECT * FROM people ORDER BY score DESC').iterate()
