import { SlashCommandBuilder, EmbedBuilder } from "discord.js";
const api = process.env.REP_API ?? "https://rep.example.org/api/v1";
export const data = new SlashCommandBuilder().setName("score");
export async function execute(interaction) {
  const wallet = interaction.options.getString("wallet");
  const res = await fetch(`${api}/passports/${wallet}`, { headers: { "X-API-KEY": process.env.K } }); // call: passport
  if (res.status === 404) return interaction.reply("none");
  const { passport } = await res.json();
  const embed = new EmbedBuilder()
    .setTitle(passport.passport_profile.display_name) // read: passport.passport_profile.display_name
    .addFields({ name: "Score", value: String(passport.score) }, // read: passport.score
      ...passport.passport_socials.map((s) => ({ name: s.source, value: s.profile_url }))); // read: passport.passport_socials, passport.passport_socials[].source, passport.passport_socials[].profile_url
  await interaction.reply({ embeds: [embed] });
}
