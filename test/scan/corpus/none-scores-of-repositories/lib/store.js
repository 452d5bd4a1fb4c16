const Database = require('better-sqlite3');

const db = new Database(process.env.DB_FILE || 'scoreboard.db');

db.exec(`
  CREATE TABLE IF NOT EXISTS passports (
    passport_id INTEGER PRIMARY KEY,
    display_name TEXT,
    score REAL,
    follower_count TEXT,
    human_checkmark INTEGER
  )
`);

function listPassports(limit) {
  const passports = db.prepare('SELECT * FROM passports ORDER BY score DESC LIMIT ?').all(limit);
  return passports.map((passport) => ({
    id: passport.passport_id,
    label: passport.display_name,
    score: passport.score || 0,
    followers: parseInt(passport.follower_count, 10),
  }));
}

function savePassport(passport) {
  return db
    .prepare('INSERT OR REPLACE INTO passports VALUES (@passport_id, @display_name, @score, @follower_count, 0)')
    .run(passport);
}

module.exports = { listPassports, savePassport };
