const { EmbedBuilder, SlashCommandBuilder } = require('discord.js');
const db = require('../db');
const talent = require('../talent');

const ICONS = { github: '🐙', farcaster: '🟪', lens: '🌿', twitter: '🐦' };

function bar(part, max) {
  const full = max ? Math.round((part / max) * 10) : 0;
  return '█'.repeat(full) + '░'.repeat(10 - full);
}

function embedFor(passport, credentials) {
  const profile = passport.passport_profile || {};
  const socials = (passport.passport_socials || [])
    .filter((s) => s.profile_url)
    .map((s) => `${ICONS[s.source] || '🔗'} [${s.profile_name}](${s.profile_url}) · ${s.follower_count || 0}`);

  const embed = new EmbedBuilder()
    .setTitle(profile.display_name || 'Anonymous builder')
    .setDescription(profile.bio || null)
    .setFooter({ text: passport.calculating_score ? 'being recalculated…' : `as of ${passport.last_calculated_at}` })
    .addFields(
      { name: 'Score', value: String(passport.score), inline: true },
      { name: 'Human', value: passport.human_checkmark ? 'yes' : 'no', inline: true },
      { name: 'Location', value: profile.location || '–', inline: true },
    );
  if (socials.length) embed.addFields({ name: 'Links', value: socials.join('\n') });

  const best = [...credentials].sort((a, b) => b.score - a.score).slice(0, 5);
  for (const { name, score, max_score: max, value } of best) {
    embed.addFields({ name, value: `${bar(score, max)} ${value || ''}` });
  }
  return embed;
}

module.exports = {
  data: new SlashCommandBuilder()
    .setName('whois')
    .setDescription('Show the passport of a member')
    .addUserOption((o) => o.setName('member').setDescription('Who?').setRequired(true)),

  async execute(interaction) {
    const user = interaction.options.getUser('member');
    const link = db.find(user.id);
    if (!link) return interaction.reply({ content: `${user.username} has not linked a wallet.`, ephemeral: true });

    await interaction.deferReply();
    try {
      const passport = await talent.getPassport(link.wallet);
      if (!passport) return interaction.editReply('No passport found.');
      const credentials = await talent.getCredentials(passport.passport_id).catch(() => []);
      return interaction.editReply({ embeds: [embedFor(passport, credentials)] });
    } catch (err) {
      console.error(err);
      return interaction.editReply('The passport service is not available at the moment.');
    }
  },
};
