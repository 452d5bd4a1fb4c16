import chalk from 'chalk';
import { getCredentials } from '../api.js';

export async function credentials(passportIds, { json }) {
  for (const id of passportIds) {
    const list = await getCredentials(id);
    if (json) {
      console.log(JSON.stringify(list, null, 2));
      continue;
    }
    console.log(chalk.bold(`passport ${id}`));
    const width = Math.max(...list.map((c) => c.name.length), 10);
    for (const c of list) {
      const points = `${c.score}/${c.max_score}`.padStart(8);
      const when = c.earned_at ? c.earned_at.slice(0, 10) : '          ';
      console.log(`${when} ${c.category.padEnd(10)} ${c.name.padEnd(width)} ${points}  ${c.value ?? ''}`);
    }
    const sum = list.reduce((n, { score }) => n + score, 0);
    console.log(chalk.green(`total ${sum}\n`));
  }
}
