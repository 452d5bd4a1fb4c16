const Database = require('better-sqlite3');

const db = new Database('hunt.sqlite');
db.exec(`
  CREATE TABLE IF NOT EXISTS hunters (discord_id TEXT PRIMARY KEY, wallet TEXT, passport_id INTEGER);
  CREATE TABLE IF NOT EXISTS solves (discord_id TEXT, puzzle TEXT, score INTEGER);
`);

module.exports = {
  link: (discordId, wallet, passportId) =>
    db.prepare('INSERT OR REPLACE INTO hunters VALUES (?, ?, ?)').run(discordId, wallet, passportId),
  hunter: (discordId) => db.prepare('SELECT * FROM hunters WHERE discord_id = ?').get(discordId),
  points: (discordId) =>
    db.prepare('SELECT COALESCE(SUM(score), 0) AS score FROM solves WHERE discord_id = ?').get(discordId).score,
};
