const { SlashCommandBuilder } = require('discord.js');
const { top } = require('../talent');

module.exports = {
  data: new SlashCommandBuilder().setName('top').setDescription('Best builders of the world'),

  async execute(interaction) {
    const list = await top();
    const lines = list.map((p, i) => {
      const who = (p.passport_profile && p.passport_profile.display_name) || p.main_wallet;
      return `**${i + 1}.** ${who} — ${p.score} (${p.skills_score} skills)`;
    });
    await interaction.reply(lines.join('\n') || 'Nobody here.');
  },
};
