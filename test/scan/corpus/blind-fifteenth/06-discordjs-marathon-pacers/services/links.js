const Database = require('better-sqlite3')

const db = new Database('pacers.db')
db.exec('CREATE TABLE IF NOT EXISTS links (discord_id TEXT PRIMARY KEY, wallet TEXT, score INTEGER, checked_at TEXT)')

const upsert = db.prepare(`
  INSERT INTO links (discord_id, wallet, score, checked_at) VALUES (@discordId, @wallet, @score, @checkedAt)
  ON CONFLICT (discord_id) DO UPDATE SET wallet = excluded.wallet, score = excluded.score, checked_at = excluded.checked_at
`)

exports.saveLink = (row) => upsert.run(row)
exports.walletOf = (discordId) => db.prepare('SELECT wallet FROM links WHERE discord_id = ?').pluck().get(discordId)
