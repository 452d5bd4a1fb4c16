const { SlashCommandBuilder, MessageFlags } = require('discord.js');
const talent = require('../services/talent');
const db = require('../db');
const { minScore } = require('../config');

module.exports = {
  data: new SlashCommandBuilder()
    .setName('join')
    .setDescription('Join the hunt')
    .addStringOption((o) => o.setName('wallet').setDescription('0x…').setRequired(true)),

  async execute(interaction) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const wallet = interaction.options.getString('wallet');
    const passport = await talent.getPassport(wallet);

    if (!passport) return interaction.editReply('No passport for this wallet.');
    if (passport.calculating_score) return interaction.editReply('Your score is being calculated, try again later.');
    if (passport.score < minScore) {
      return interaction.editReply(`You need ${minScore}, you have ${passport.score}.`);
    }
    if (!passport.verified_wallets.map((w) => w.toLowerCase()).includes(wallet.toLowerCase())) {
      return interaction.editReply('That wallet is not verified on your passport.');
    }

    db.link(interaction.user.id, wallet, passport.passport_id);
    return interaction.editReply(`Welcome, ${passport.passport_profile?.name || interaction.user.displayName}!`);
  },
};
