const cron = require('node-cron');
const db = require('../db');
const { getPassport } = require('../talent');
const { applyRoles } = require('../roles');

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

async function scoreOf(wallet) {
  try {
    const passport = await getPassport(wallet);
    return passport.score;
  } catch {
    return 0;
  }
}

function start(guild) {
  cron.schedule('15 4 * * *', async () => {
    for (const row of db.all()) {
      const score = await scoreOf(row.wallet);
      if (score !== row.score) {
        console.log(`${row.user_id}: ${row.score} -> ${score}`);
        db.save(row.user_id, score);
        const member = await guild.members.fetch(row.user_id).catch(() => null);
        const passport = await getPassport(row.wallet);
        if (member && passport) await applyRoles(member, passport);
      }
      await sleep(500);
    }
  });
}

module.exports = { start };
