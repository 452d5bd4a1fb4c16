import Database from 'better-sqlite3'

export interface Talk {
  id: number
  title: string
  speaker_wallet: string
  votes: number
  score: number
}

const db = new Database(process.env.DB_FILE ?? 'talks.db')
db.exec('create table if not exists talks (id integer primary key, title text, speaker_wallet text, votes int default 0, score int)')

export const addTalk = (title: string, wallet: string, score: number) =>
  db.prepare('insert into talks (title, speaker_wallet, score) values (?, ?, ?)').run(title, wallet, score)

export const nextTalk = () =>
  db.prepare('select * from talks order by votes desc, score desc limit 1').get() as Talk | undefined
