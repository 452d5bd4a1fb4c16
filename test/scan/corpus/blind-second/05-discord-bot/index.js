require('dotenv').config();
const { Client, Events, GatewayIntentBits } = require('discord.js');
const passport = require('./commands/passport');
const { syncRoles } = require('./jobs/roles');
const wallets = new Map(Object.entries(require('./wallets.json')));

const client = new Client({ intents: [GatewayIntentBits.Guilds] });

client.once(Events.ClientReady, async (c) => {
  console.log(`Ready as ${c.user.tag}`);
  const guild = await c.guilds.fetch(process.env.GUILD_ID);
  setInterval(() => syncRoles(guild, wallets).catch(console.error), 6 * 60 * 60 * 1000);
});

client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isChatInputCommand() && interaction.commandName === passport.data.name) {
    await passport.execute(interaction);
  }
});

client.login(process.env.DISCORD_TOKEN);
