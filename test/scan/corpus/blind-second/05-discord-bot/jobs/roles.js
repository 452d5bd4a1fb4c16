const talent = require('../services/talent');

const TIERS = [
  { min: 80, role: process.env.ROLE_GOLD },
  { min: 40, role: process.env.ROLE_SILVER },
  { min: 1, role: process.env.ROLE_BRONZE },
];

// wallets: Map of discord user id -> wallet
async function syncRoles(guild, wallets) {
  for (const [userId, wallet] of wallets) {
    const score = await talent.getScore(wallet);
    const tier = TIERS.find((t) => score >= t.min);
    const member = await guild.members.fetch(userId);
    await member.roles.remove(TIERS.map((t) => t.role));
    if (tier) await member.roles.add(tier.role);
  }
}

module.exports = { syncRoles };
