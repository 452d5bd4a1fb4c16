import { board } from './board.js';

const rows = await board(process.argv[2] ?? 'solidity');
const width = Math.max(...rows.map((r) => r.login.length));

for (const { login, score, follower_count, location } of rows) {
  console.log(login.padEnd(width), String(score).padStart(6), Number(follower_count), location ?? '');
}

const byType = Object.groupBy(rows, (r) => r.type);
for (const [type, people] of Object.entries(byType)) {
  const sum = people.reduce((n, p) => n + (p.score || 0), 0);
  console.log(`${type}: ${people.length} accounts, ${sum} points`);
}
console.log(`${rows.length} people, best score ${rows[0]?.score ?? 0}`);
