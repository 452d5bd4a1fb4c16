import { Bot } from 'grammy';
import { isAddress } from 'viem';
import { BOT_TOKEN } from './config.js';
import { fetchCredentials, fetchPassport, fetchScore, fetchTop } from './talent.js';
import { credentialLines, passportCard, topList } from './format.js';

const bot = new Bot(BOT_TOKEN);
const markdown = { parse_mode: 'MarkdownV2' };

bot.command('passport', async (ctx) => {
  const wallet = ctx.match.trim();
  if (!isAddress(wallet)) return ctx.reply('Usage: /passport 0x…');
  try {
    const passport = await fetchPassport(wallet);
    const credentials = await fetchCredentials(passport.passport_id);
    await ctx.reply([passportCard(passport), ...credentialLines(credentials)].join('\n'), markdown);
  } catch (error) {
    await ctx.reply(error.response?.statusCode === 404 ? 'No passport for this wallet' : 'The API is not reachable, try later');
  }
});

bot.command('compare', async (ctx) => {
  const [a, b] = ctx.match.split(/\s+/);
  const [scoreA, scoreB] = await Promise.all([fetchScore(a), fetchScore(b)]);
  await ctx.reply(scoreA === scoreB ? 'A draw!' : `${scoreA > scoreB ? a : b} wins (${scoreA} : ${scoreB})`);
});

bot.command('top', async (ctx) => {
  const passports = await fetchTop();
  await ctx.reply(topList(passports), markdown);
});

bot.catch((err) => console.error(err));
bot.start();
