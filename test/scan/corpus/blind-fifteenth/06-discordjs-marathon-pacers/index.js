const { Client, Collection, Events, GatewayIntentBits } = require('discord.js')
const config = require('./config')

const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers] })
client.commands = new Collection(
  ['pacer', 'podium'].map((name) => [name, require(`./commands/${name}`)]),
)

client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand()) return
  try {
    await client.commands.get(interaction.commandName).execute(interaction)
  } catch (err) {
    console.error(err)
    const reply = { content: 'Cramp! Try again later.', ephemeral: true }
    await (interaction.deferred ? interaction.editReply(reply) : interaction.reply(reply))
  }
})

client.login(config.token)
