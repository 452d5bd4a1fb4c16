// Paths of the reputation API. The v2 ones are not ready for us yet:
//   /api/v2/passports
//   /api/v2/passports/:id
const PREFIX = "/api/v1";

export const LIST = PREFIX + "/passports";
export const ONE = LIST + "/";

// other services
export const GUILD = "/guilds";
export const GUILD_MEMBERS = GUILD + "/members";
export const HEALTH = "/healthz";

export function memberPage(guild, page) {
  return GUILD_MEMBERS + "?guild=" + guild + "&page=" + page;
}

export default { LIST, ONE, GUILD };
