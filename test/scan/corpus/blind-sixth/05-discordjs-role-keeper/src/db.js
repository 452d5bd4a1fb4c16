const Database = require('better-sqlite3');

const db = new Database(process.env.DB_FILE || 'roles.db');
db.exec(`CREATE TABLE IF NOT EXISTS links (
  user_id TEXT PRIMARY KEY,
  wallet TEXT NOT NULL,
  score INTEGER DEFAULT 0,
  updated_at TEXT
)`);

module.exports = {
  link: (userId, wallet) => db.prepare('INSERT OR REPLACE INTO links (user_id, wallet) VALUES (?, ?)').run(userId, wallet),
  find: (userId) => db.prepare('SELECT * FROM links WHERE user_id = ?').get(userId),
  all: () => db.prepare('SELECT * FROM links').all(),
  save: (userId, score) =>
    db.prepare("UPDATE links SET score = ?, updated_at = datetime('now') WHERE user_id = ?").run(score, userId),
};
