require('dotenv').config()
const { Telegraf } = require('telegraf')
const { isAddress } = require('ethers')
const talent = require('./services/talent')
const prices = require('./services/prices')

const bot = new Telegraf(process.env.BOT_TOKEN)

bot.start((ctx) => ctx.reply('Send /score <wallet>, /badges <wallet> or /price'))

bot.command('score', async (ctx) => {
  const [, wallet] = ctx.message.text.split(' ')
  if (!isAddress(wallet)) return ctx.reply('That does not look like a wallet')

  const score = await talent.getScore(wallet)
  const profile = await talent.getProfile(wallet)
  const who = profile ? profile.display_name : wallet
  let text = `*${who}* has a builder score of *${score}*`
  if (profile && profile.location) text += `\n📍 ${profile.location}`
  return ctx.replyWithMarkdown(text)
})

bot.command('badges', async (ctx) => {
  const [, wallet] = ctx.message.text.split(' ')
  const credentials = await talent.getCredentials(wallet)
  if (!credentials.length) return ctx.reply('No badges yet')

  const byCategory = {}
  for (const cred of credentials) {
    const key = cred.category || 'Other'
    byCategory[key] = byCategory[key] || []
    byCategory[key].push(`• ${cred['name']} — ${cred.score}/${cred.max_score}`)
  }
  const lines = Object.entries(byCategory).map(([k, v]) => `${k}\n${v.join('\n')}`)
  return ctx.reply(lines.join('\n\n'))
})

bot.command('price', async (ctx) => {
  const { usd, change } = await prices.get('talent-protocol')
  return ctx.reply(`$TALENT $${usd} (${change.toFixed(1)}%)`)
})

bot.catch((err) => console.error('bot error', err))
bot.launch()
process.once('SIGINT', () => bot.stop('SIGINT'))
