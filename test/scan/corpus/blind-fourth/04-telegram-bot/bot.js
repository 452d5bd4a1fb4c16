require('dotenv').config();
const { Bot } = require('grammy');
const talent = require('./services/talent');
const { formatPassport, formatSearch, formatCredentials } = require('./lib/format');

const bot = new Bot(process.env.BOT_TOKEN);

bot.command('start', (ctx) => ctx.reply('Send /passport 0x… or /search name'));

bot.command('passport', async (ctx) => {
  const passport = await talent.getPassport(ctx.match.trim());
  if (!passport) return ctx.reply('No passport for this wallet');
  await ctx.reply(formatPassport(passport), { parse_mode: 'Markdown' });
});

bot.command('search', async (ctx) => {
  const { items, total } = await talent.searchPassports(ctx.match);
  if (!items.length) return ctx.reply('Nothing found');
  await ctx.reply(`${total} found\n${formatSearch(items)}`);
});

bot.command('credentials', async (ctx) => {
  const passport = await talent.getPassport(ctx.match.trim());
  if (!passport) return ctx.reply('No passport for this wallet');
  try {
    const list = await talent.getCredentials(passport.passport_id);
    await ctx.reply(formatCredentials(list));
  } catch (e) {
    await ctx.reply(`Talent is not answering (${e.response?.status ?? e.code})`);
  }
});

bot.catch((err) => console.error(err));
bot.start();
