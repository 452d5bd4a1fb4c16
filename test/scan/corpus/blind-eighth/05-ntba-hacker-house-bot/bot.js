require('dotenv').config()
const TelegramBot = require('node-telegram-bot-api')
const { getPassport, getCredentials, searchPassports } = require('./talent')
const { residents, addResident } = require('./db')
const { card, searchResult, credentialLines, houseTable } = require('./format')

const bot = new TelegramBot(process.env.BOT_TOKEN, { polling: true })
const MIN = Number(process.env.MIN_SCORE || 30)

bot.onText(/^\/start/, (msg) => {
  bot.sendMessage(msg.chat.id, 'Send /me <wallet> to apply for a bed, /who <name> to look somebody up.')
})

bot.onText(/^\/me (0x[a-fA-F0-9]{40})/, async (msg, match) => {
  const chatId = msg.chat.id
  const wallet = match[1]
  bot.sendChatAction(chatId, 'typing')

  const passport = await getPassport(wallet)
  if (!passport) {
    return bot.sendMessage(chatId, `No passport for ${wallet}. Make one first.`)
  }
  if (passport.calculating_score) {
    return bot.sendMessage(chatId, 'Your score is being calculated, come back in some minutes.')
  }

  const credentials = await getCredentials(passport.passport_id)
  await bot.sendMessage(chatId, card(passport, credentials), { parse_mode: 'HTML' })

  if (passport.score >= MIN && passport.human_checkmark) {
    addResident({
      telegram: msg.from.username,
      wallet: passport.main_wallet || wallet,
      score: passport.score,
      passportId: passport.passport_id,
      name: (passport.passport_profile && passport.passport_profile.display_name) || msg.from.first_name,
    })
    bot.sendMessage(chatId, 'Welcome to the house! 🏡')
  } else {
    bot.sendMessage(chatId, `You need ${MIN} points and the human checkmark. You have ${passport.score}.`)
  }
})

bot.onText(/^\/who (.+)/, async (msg, match) => {
  try {
    const { passports, pagination } = await searchPassports(match[1])
    if (passports.length === 0) return bot.sendMessage(msg.chat.id, 'Nobody.')
    const text = passports.slice(0, 5).map(searchResult).join('\n')
    const more = pagination.total > 5 ? `\n… and ${pagination.total - 5} more` : ''
    bot.sendMessage(msg.chat.id, text + more, {
      parse_mode: 'HTML',
      reply_markup: {
        inline_keyboard: passports.slice(0, 5).map((p) => [
          { text: p.passport_profile.display_name || String(p.passport_id), callback_data: `c:${p.passport_id}` },
        ]),
      },
    })
  } catch (err) {
    console.error(err)
    bot.sendMessage(msg.chat.id, 'The search is broken at the moment, sorry.')
  }
})

bot.on('callback_query', async (query) => {
  const [kind, id] = query.data.split(':')
  if (kind !== 'c') return
  const credentials = await getCredentials(id)
  await bot.answerCallbackQuery(query.id)
  bot.sendMessage(query.message.chat.id, credentialLines(credentials) || 'No credentials.')
})

bot.onText(/^\/house/, (msg) => {
  bot.sendMessage(msg.chat.id, houseTable(residents()), { parse_mode: 'HTML' })
})

// every night: whoever lost the points leaves the list
async function nightly() {
  for (const resident of residents()) {
    const fresh = await getPassport(resident.wallet)
    const score = fresh ? fresh.score : 0
    if (score < MIN) {
      bot.sendMessage(process.env.ADMIN_CHAT, `${resident.name} fell from ${resident.score} to ${score}`)
    }
    addResident({ ...resident, score })
  }
}

setInterval(nightly, 24 * 60 * 60 * 1000)
bot.on('polling_error', (e) => console.error('polling', e.code))
