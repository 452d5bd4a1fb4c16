const { SlashCommandBuilder } = require('discord.js');
const api = require('../api');

const medal = (i) => ['🥇', '🥈', '🥉'][i] ?? `${i + 1}.`;

module.exports = {
  data: new SlashCommandBuilder()
    .setName('top')
    .setDescription('The best known people of a name')
    .addStringOption((o) => o.setName('name').setDescription('part of the name').setRequired(true)),

  async execute(interaction) {
    const found = await api.findByName(interaction.options.getString('name'));
    const lines = found.slice(0, 5).map((hit, i) => {
      const { passport_profile: profile, score = 0 } = hit; // read: passports[].passport_profile, passports[].score; hazard: fallback-default
      const links = hit.connections_count || 0; // read: passports[].connections_count; hazard: fallback-default
      return `${medal(i)} ${profile.display_name}: ${score} (${links} links)`; // read: passports[].passport_profile.display_name
    });
    const roles = await api.memberRoles(interaction.guildId, interaction.user.id).catch(() => []);
    if (roles.length === 0) lines.push('You have no roles yet.');
    await interaction.reply(lines.join('\n') || 'nobody');
  },
};
