const { roles, humanRole } = require('./config');

async function applyRoles(member, passport) {
  const earned = roles.find((r) => passport.score >= r.min);
  const drop = roles.filter((r) => r !== earned && member.roles.cache.has(r.id)).map((r) => r.id);
  if (drop.length) await member.roles.remove(drop);
  if (earned) await member.roles.add(earned.id);

  if (passport.human_checkmark) {
    await member.roles.add(humanRole);
  } else {
    await member.roles.remove(humanRole);
  }
  return earned;
}

module.exports = { applyRoles };
