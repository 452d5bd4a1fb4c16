import { readFile } from 'node:fs/promises';
import chalk from 'chalk';
import { parse } from 'csv-parse/sync';

async function load(file) {
  const rows = parse(await readFile(file), { columns: true });
  return new Map(rows.map((row) => [row.passport_id, row]));
}

export async function diff(before, after) {
  const [old, now] = await Promise.all([load(before), load(after)]);
  for (const [id, row] of now) {
    const was = old.get(id);
    if (!was) {
      console.log(chalk.green(`+ ${row.display_name}`));
      continue;
    }
    const delta = Number(row.score) - Number(was.score);
    if (delta) console.log(`${row.display_name}: ${delta > 0 ? '+' : ''}${delta}`);
  }
  for (const [id, row] of old) {
    if (!now.has(id)) console.log(chalk.red(`- ${row.display_name}`));
  }
}
