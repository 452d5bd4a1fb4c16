function need(key: string): string {
  const found = process.env[key]
  if (!found) throw new Error(`${key} is missing`)
  return found
}

export const env = {
  botToken: need('BOT_TOKEN'),
  talentKey: need('TALENT_PROTOCOL_KEY'),
  talentBase: process.env.TALENT_PROTOCOL_BASE ?? 'https://api.talentprotocol.com/api/v1',
  galxeToken: need('GALXE_TOKEN'),
  guildChat: Number(need('GUILD_CHAT')),
}
