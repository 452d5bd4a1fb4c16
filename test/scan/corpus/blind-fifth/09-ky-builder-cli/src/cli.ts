#!/usr/bin/env node
import { Command } from "commander";
import ora from "ora";
import { api, explain } from "./api.js";
import { credentialTable, details, headline } from "./render.js";

const program = new Command("whobuilds").version("0.3.1");

async function guarded(label: string, run: () => Promise<void>) {
  const spinner = ora(label).start();
  try {
    await run();
    spinner.stop();
  } catch (e) {
    spinner.fail(explain(e));
    process.exitCode = 1;
  }
}

program
  .command("show <wallet>")
  .option("-c, --credentials", "with credentials")
  .option("--json")
  .action((wallet, options) =>
    guarded(`Looking up ${wallet}`, async () => {
      const passport = await api.passport(wallet);
      if (options.json) return console.log(JSON.stringify(passport, null, 2));
      console.log(details(passport).join("\n"));
      if (options.credentials) console.log(credentialTable(await api.credentials(passport.passport_id)));
    })
  );

program
  .command("search <name>")
  .option("--min <score>", "minimum score", "0")
  .action((name, options) =>
    guarded(`Searching ${name}`, async () => {
      const hits = await api.search(name);
      for (const hit of hits.filter((h) => h.score >= Number(options.min))) console.log(headline(hit));
    })
  );

program
  .command("compare <wallets...>")
  .action((wallets: string[]) =>
    guarded("Comparing", async () => {
      const settled = await Promise.allSettled(wallets.map((w) => api.passport(w)));
      settled.forEach((result, i) => {
        if (result.status === "rejected") return console.error(`${wallets[i]}: ${explain(result.reason)}`);
        console.log(`${headline(result.value)} (${result.value.passport_id})`);
      });
    })
  );

await program.parseAsync();
