const { Client, Collection, Events, GatewayIntentBits } = require('discord.js');
const config = require('./config');
const refresh = require('./jobs/refresh');

const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers] });
client.commands = new Collection();
for (const name of ['link', 'whois', 'top']) {
  const command = require(`./commands/${name}`);
  client.commands.set(command.data.name, command);
}

client.once(Events.ClientReady, async (c) => {
  console.log(`Ready as ${c.user.tag}`);
  refresh.start(await c.guilds.fetch(config.guildId));
});

client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand()) return;
  const command = client.commands.get(interaction.commandName);
  try {
    await command.execute(interaction);
  } catch (err) {
    console.error(err);
    const reply = { content: 'That did not work.', ephemeral: true };
    await (interaction.deferred ? interaction.editReply(reply) : interaction.reply(reply));
  }
});

client.login(config.token);
