#!/usr/bin/env node
const { program } = require("commander");
const { RepClient } = require("./client");
program.command("show <id>").action(async (id) => {
  const client = new RepClient();
  const { passport, credentials } = await client.full(id);
  console.table(credentials.map(({ name, score }) => ({ name, score }))); // read: passport_credentials[].name, passport_credentials[].score
  console.log("%s %d", passport.passport_profile.display_name, passport.score); // read: passport.passport_profile.display_name, passport.score
});
program.parse();
