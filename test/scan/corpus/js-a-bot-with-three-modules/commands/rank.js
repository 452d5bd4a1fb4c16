const { SlashCommandBuilder, EmbedBuilder } = require('discord.js');
const api = require('../api');

const ROLES = [
  { name: 'Legend', score: 120 },
  { name: 'Builder', score: 60 },
  { name: 'Newcomer', score: 0 },
];

module.exports = {
  data: new SlashCommandBuilder()
    .setName('rank')
    .setDescription('Shows the rank behind a wallet')
    .addStringOption((o) => o.setName('wallet').setDescription('0x…').setRequired(true)),

  async execute(interaction) {
    const wallet = interaction.options.getString('wallet');
    const passport = await api.byWallet(wallet);
    const points = passport?.score || 0; // read: passport.score; hazard: fallback-default
    const role = ROLES.find((r) => points >= r.score);

    const embed = new EmbedBuilder().setTitle(role.name);
    if (passport) {
      const { activity_score: activity, skills_score: skills } = passport; // read: passport.activity_score, passport.skills_score
      embed.addFields(
        { name: 'Activity', value: String(activity), inline: true },
        { name: 'Skills', value: String(skills), inline: true },
      );
      const creds = await api.badges(passport.passport_id); // read: passport.passport_id
      const best = creds
        .filter((c) => c.category === 'Activity') // read: passport_credentials[].category
        .sort((a, b) => b.score - a.score)[0]; // read: passport_credentials[].score
      if (best) embed.setFooter({ text: `${best.name} (${best.score}/${best.max_score})` }); // read: passport_credentials[].name, passport_credentials[].score, passport_credentials[].max_score
      if (passport.calculating_score) embed.setDescription('still being calculated'); // read: passport.calculating_score
    }
    await interaction.reply({ embeds: [embed], ephemeral: true });
  },
};
