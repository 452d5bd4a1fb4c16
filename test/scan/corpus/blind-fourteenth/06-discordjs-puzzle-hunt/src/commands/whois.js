const { EmbedBuilder, SlashCommandBuilder } = require('discord.js');
const talent = require('../services/talent');
const db = require('../db');

function buildEmbed(passport, credentials, points) {
  const { display_name: name, bio, location } = passport.passport_profile || {};
  const github = (passport.passport_socials || []).find((s) => s.source === 'github');

  const embed = new EmbedBuilder()
    .setTitle(name || 'Unnamed hunter')
    .setDescription(bio || null)
    .addFields(
      { name: 'Builder score', value: String(passport.score), inline: true },
      { name: 'Hunt points', value: String(points), inline: true },
      { name: 'From', value: location || '?', inline: true },
    );
  if (github) embed.setURL(github['profile_url']);
  if (credentials.length) {
    embed.addFields({
      name: 'Credentials',
      value: credentials.map((c) => `• ${c.name}: ${c.value} (${c.score}/${c.max_score})`).join('\n'),
    });
  }
  return embed;
}

module.exports = {
  data: new SlashCommandBuilder()
    .setName('whois')
    .setDescription('Show a hunter')
    .addUserOption((o) => o.setName('user').setDescription('who').setRequired(true)),

  async execute(interaction) {
    const user = interaction.options.getUser('user');
    const hunter = db.hunter(user.id);
    if (!hunter) return interaction.reply('Not a hunter.');

    await interaction.deferReply();
    const [passport, credentials] = await Promise.all([
      talent.getPassport(hunter.wallet),
      talent.getTopCredentials(hunter.passport_id).catch(() => []),
    ]);
    if (!passport) return interaction.editReply('The passport is gone.');
    return interaction.editReply({ embeds: [buildEmbed(passport, credentials, db.points(user.id))] });
  },
};
