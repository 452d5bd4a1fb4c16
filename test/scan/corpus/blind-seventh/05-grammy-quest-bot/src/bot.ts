import { Bot, GrammyError, InlineKeyboard } from 'grammy'
import { env } from './env.js'
import { galxePoints, quests } from './quests.js'
import { characterSheet, hallOfFame, inventory, type Item } from './reputation.js'
import { store } from './store.js'

const bot = new Bot(env.botToken)

const bar = (item: Item) => '▰'.repeat(Math.round((5 * item.score) / (item.max_score || 1))).padEnd(5, '▱')

bot.command('start', (ctx) => ctx.reply('Send /join 0x… to enter the guild.'))

bot.command('join', async (ctx) => {
  const wallet = ctx.match.trim()
  if (!/^0x[0-9a-f]{40}$/i.test(wallet)) return ctx.reply('That is no wallet.')
  const sheet = await characterSheet(wallet)
  if (!sheet) return ctx.reply('The scribes find no passport of that wallet.')
  store.set(ctx.from!.id, { wallet, score: sheet.level, done: [] })
  const keyboard = new InlineKeyboard().text('Bag', `bag:${sheet.id}`).text('Quests', `quests:${sheet.id}`)
  await ctx.reply(
    [
      `<b>${sheet.nick}</b>, level ${sheet.level}${sheet.human ? '' : ' (a golem?)'}`,
      `STR ${sheet.stats.strength} WIS ${sheet.stats.wisdom} CRA ${sheet.stats.craft}`,
      ...sheet.homes,
    ].join('\n'),
    { parse_mode: 'HTML', reply_markup: keyboard },
  )
})

bot.callbackQuery(/^bag:(\d+)$/, async (ctx) => {
  const items = await inventory(Number(ctx.match[1]))
  const text = items.map((i) => `${bar(i)} ${i.name}${i.value ? ` (${i.value})` : ''}`).join('\n')
  await ctx.editMessageText(text || 'The bag is empty.')
})

bot.callbackQuery(/^quests:(\d+)$/, async (ctx) => {
  const player = store.get(ctx.from.id)
  if (!player) return ctx.answerCallbackQuery('Join first')
  const items = await inventory(Number(ctx.match[1])).catch(() => [] as Item[])
  const done = quests.filter((q) => q.wants(items))
  store.set(ctx.from.id, { ...player, done: done.map((q) => q.slug) })
  const exp = await galxePoints(player.wallet)
  await ctx.reply(`${done.length} of ${quests.length} quests, ${exp} Galxe exp\n` + done.map((q) => `✅ ${q.title}`).join('\n'))
})

bot.command('fame', async (ctx) => {
  const heroes = await hallOfFame(10)
  await ctx.reply(heroes.map((h, i) => `${i + 1}. ${h.nick}${h.city ? ` of ${h.city}` : ''}: ${h.points}`).join('\n'))
})

bot.command('guild', (ctx) =>
  ctx.reply(store.top().map(([id, p]) => `${id}: level ${p.score}, ${p.done.length} quests`).join('\n')),
)

bot.catch(({ error }) => {
  if (error instanceof GrammyError) console.error('telegram', error.description)
  else console.error(error)
})

bot.start()
