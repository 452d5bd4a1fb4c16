#!/usr/bin/env node
import { program } from 'commander';
import { directory } from '../src/commands/directory.js';
import { wallets } from '../src/commands/wallets.js';
import { credentials } from '../src/commands/credentials.js';
import { diff } from '../src/commands/diff.js';

program.name('cohort').description('Snapshots of builder cohorts as CSV');

program
  .command('directory')
  .option('-k, --keyword <text>', 'filter by name')
  .option('-m, --max-pages <n>', 'stop after n pages', Number, Infinity)
  .requiredOption('-o, --out <file>')
  .action(directory);

program
  .command('wallets <input>')
  .description('one line for each wallet of a file')
  .requiredOption('-o, --out <file>')
  .option('-c, --concurrency <n>', 'parallel requests', Number, 3)
  .action(wallets);

program.command('credentials <passportIds...>').option('--json').action(credentials);
program.command('diff <before> <after>').action(diff);

program.parseAsync().catch((err) => {
  console.error(err.message);
  process.exitCode = 1;
});
