const { EmbedBuilder, SlashCommandBuilder } = require('discord.js')
const config = require('../config')
const { lookupRunner, runnerCredentials } = require('../services/talent')
const { saveLink, walletOf } = require('../services/links')

const SPORTY = ['strava_runs', 'poap_marathon', 'active_wallet']

function buildEmbed(runner, credentials) {
  const { display_name: name, bio, location } = runner.passport_profile || {}
  const embed = new EmbedBuilder()
    .setTitle(name || `Runner #${runner.passport_id}`)
    .setDescription(bio || 'No bio')
    .addFields(
      { name: 'Score', value: String(runner.score), inline: true },
      { name: 'Human', value: runner.human_checkmark ? 'yes' : 'no', inline: true },
      { name: 'Location', value: location || 'unknown', inline: true },
    )

  const social = (runner.passport_socials || []).find((s) => s.source === 'twitter')
  if (social) embed.setAuthor({ name: '@' + social.profile_name, iconURL: social.profile_image_url, url: social.profile_url })

  const sporty = credentials.filter((c) => SPORTY.includes(c.type))
  if (sporty.length) {
    embed.addFields({ name: 'Running', value: sporty.map((c) => `• ${c.name}: ${c.value}`).join('\n') })
  }
  return embed
}

module.exports = {
  data: new SlashCommandBuilder()
    .setName('pacer')
    .setDescription('Apply as a pacer')
    .addStringOption((o) => o.setName('wallet').setDescription('Wallet address')),

  async execute(interaction) {
    await interaction.deferReply()
    const wallet = interaction.options.getString('wallet') || walletOf(interaction.user.id)
    if (!wallet) return interaction.editReply('Tell me your wallet once.')

    const runner = await lookupRunner(wallet)
    if (!runner) return interaction.editReply('Nobody found for that wallet.')

    const credentials = await runnerCredentials(runner.passport_id)
    saveLink({
      discordId: interaction.user.id,
      wallet: runner.main_wallet || wallet,
      score: Math.round(runner.score),
      checkedAt: new Date().toISOString(),
    })

    if (runner.score >= config.minPacerScore && runner.human_checkmark) {
      await interaction.member.roles.add(config.pacerRole)
    }
    return interaction.editReply({ embeds: [buildEmbed(runner, credentials)] })
  },
}
