const { SlashCommandBuilder } = require('discord.js')
const { topRunners } = require('../services/talent')

const MEDALS = ['🥇', '🥈', '🥉']

module.exports = {
  data: new SlashCommandBuilder().setName('podium').setDescription('Who leads'),

  async execute(interaction) {
    const runners = await topRunners(5)
    const lines = runners.map(
      (r, i) => `${MEDALS[i] || '🏃'} **${r.passport_profile.display_name}** ${r.score} (${r.activity_score} activity)`,
    )
    await interaction.reply(lines.join('\n') || 'The podium is empty.')
  },
}
