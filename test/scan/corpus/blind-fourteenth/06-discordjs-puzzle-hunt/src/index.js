const { Client, Collection, Events, GatewayIntentBits } = require('discord.js');
const { discord } = require('./config');

const client = new Client({ intents: [GatewayIntentBits.Guilds] });
client.commands = new Collection(
  [require('./commands/join'), require('./commands/whois')].map((c) => [c.data.name, c]),
);

client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand()) return;
  try {
    await client.commands.get(interaction.commandName)?.execute(interaction);
  } catch (err) {
    console.error(err);
    if (interaction.deferred) await interaction.editReply('Something broke, sorry.');
  }
});

client.login(discord.token);
