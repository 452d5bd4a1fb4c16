const { SlashCommandBuilder, EmbedBuilder } = require('discord.js');
const talent = require('../services/talent');

const ICONS = { github: '🐙', farcaster: '🟪', lens: '🌿', twitter: '🐦' };

function socialLine(social) {
  const { source, profile_name: handle, profile_url: url, follower_count: followers } = social;
  return `${ICONS[source] || '🔗'} [${handle}](${url}) – ${parseInt(followers, 10) || 0} followers`;
}

module.exports = {
  data: new SlashCommandBuilder()
    .setName('passport')
    .setDescription('Show a Talent Passport')
    .addStringOption((o) => o.setName('wallet').setDescription('Wallet or passport id').setRequired(true)),

  async execute(interaction) {
    await interaction.deferReply();
    const wallet = interaction.options.getString('wallet');

    let passport;
    try {
      passport = await talent.getPassport(wallet);
    } catch (err) {
      return interaction.editReply('Talent Protocol is not answering, try again later.');
    }
    if (!passport) return interaction.editReply('No passport found for this wallet.');

    const profile = passport.passport_profile;
    const isDeployer = await talent.hasCredential(passport.passport_id, 'onchain_activity');

    const embed = new EmbedBuilder()
      .setTitle(profile.display_name || 'Anonymous')
      .setDescription(profile.bio || 'No bio')
      .addFields(
        { name: 'Score', value: String(passport.score), inline: true },
        { name: 'Human', value: passport.human_checkmark ? 'yes' : 'no', inline: true },
        { name: 'Wallets', value: String(passport.verified_wallets.length), inline: true },
        { name: 'Deployer', value: isDeployer ? 'yes' : 'no', inline: true },
      );
    if (passport.passport_socials.length) {
      embed.addFields({ name: 'Socials', value: passport.passport_socials.map(socialLine).join('\n') });
    }
    return interaction.editReply({ embeds: [embed] });
  },
};
