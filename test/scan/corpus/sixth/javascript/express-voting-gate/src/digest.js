'use strict';

const cron = require('node-cron');
const nodemailer = require('nodemailer');
const axios = require('axios');

const transport = nodemailer.createTransport(process.env.SMTP_URL);
const PASSPORTS_URL = 'https://reputation.example/api/v1/passports';

async function buildDigest() {
  const { data } = await axios({ method: 'get', url: PASSPORTS_URL, params: { keyword: 'dao' } }); // call: passport-list
  const lines = [];
  for (const passport of data.passports) {
    const { passport_profile: profile, score, connections_count = 0 } = passport; // read: passports[].passport_profile, passports[].score, passports[].connections_count; hazard: fallback-default
    lines.push(`${profile.display_name}: ${score} (${connections_count} connections)`); // read: passports[].passport_profile.display_name
  }
  return { total: data.pagination.total, text: lines.join('\n') }; // read: pagination.total
}

async function newsItems() {
  const { data } = await axios({ method: 'get', url: 'https://news.example/api/v1/items' });
  return data.items.map(({ name, score, category }) => `${category}/${name} ${score || 0}`);
}

cron.schedule('0 8 * * 1', async () => {
  const digest = await buildDigest();
  const news = await newsItems();
  await transport.sendMail({
    to: 'members@dao.example',
    subject: `${digest.total} passports this week`,
    text: [digest.text, ...news].join('\n'),
  });
});

module.exports = { buildDigest };
