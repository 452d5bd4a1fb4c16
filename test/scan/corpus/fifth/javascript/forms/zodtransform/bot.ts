import { Client, Events, SlashCommandBuilder, EmbedBuilder } from "discord.js";
import { z } from "zod";
const Profile = z.object({ display_name: z.string().nullable(), bio: z.string() });
const Passport = z.object({ score: z.number(), passport_profile: Profile, verified_wallets: z.array(z.string()) });
const Reply = z.object({ passport: Passport }).transform((r) => r.passport); // 
type Passport = z.infer<typeof Passport>;
async function fetchPassport(id: string): Promise<Passport> {
  const res = await fetch(new URL(`/api/v1/passports/${id}`, process.env.REP)); // call: passport
  return Reply.parse(await res.json());
}
const fmt = ({ passport_profile: { display_name }, ...p }: Passport) => `${display_name} ${p.score}`; // read: passport.passport_profile.display_name, passport.score
export const commands = new Map([["rep", { data: new SlashCommandBuilder().setName("rep"), async execute(i: any) {
  const p = await fetchPassport(i.options.getString("w"));
  await i.reply({ embeds: [new EmbedBuilder().setTitle(fmt(p)).addFields({ name: "wallets", value: `${p.verified_wallets.length}` })] }); // read: passport.verified_wallets[]
} }]]);
const isRich = (p: Passport): boolean => p.score > 50; // read: passport.score
const roles: Array<[string, (p: Passport) => boolean]> = [["human", (p) => p.verified_wallets.length > 1], ["rich", isRich]]; // read: passport.verified_wallets[]
export async function grant(id: string) { const p = await fetchPassport(id); return roles.filter(([, test]) => test(p)).map(([n]) => n); }
