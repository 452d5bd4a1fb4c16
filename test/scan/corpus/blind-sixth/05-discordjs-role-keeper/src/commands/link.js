const { SlashCommandBuilder } = require('discord.js');
const db = require('../db');
const { getPassport } = require('../talent');
const { applyRoles } = require('../roles');

module.exports = {
  data: new SlashCommandBuilder()
    .setName('link')
    .setDescription('Link your wallet')
    .addStringOption((o) => o.setName('wallet').setDescription('0x…').setRequired(true)),

  async execute(interaction) {
    const wallet = interaction.options.getString('wallet').toLowerCase();
    await interaction.deferReply({ ephemeral: true });

    const passport = await getPassport(wallet);
    if (!passport) {
      return interaction.editReply('There is no builder passport for this wallet.');
    }
    if (!passport.verified_wallets.map((w) => w.toLowerCase()).includes(wallet)) {
      return interaction.editReply('Please verify this wallet in your passport first.');
    }

    db.link(interaction.user.id, wallet);
    db.save(interaction.user.id, passport.score);
    const role = await applyRoles(interaction.member, passport);
    const name = passport.passport_profile?.display_name ?? interaction.user.username;
    return interaction.editReply(`Welcome ${name}! ${role ? `You are ${role.name} now.` : 'No role yet, keep building.'}`);
  },
};
