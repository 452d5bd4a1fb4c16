// Names, bios and locations of invented people in several scripts. Every full name is one of `fullNames`, so
// that a search compares a few thousand names instead of one per passport.

type Script = {
  firsts: readonly string[];
  lasts: readonly string[];
  join: string;
  bios: readonly string[];
  places: readonly string[];
};

const words = (text: string) => text.trim().split(/\s+/);
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim());

const scripts: readonly Script[] = [
  {
    firsts: words(`Ana Bruno Carla Diego Elena Felix Grace Hugo Inês João Katja Liam Maya Noah Olivia Pedro
      Quinn Rosa Sofia Tomás Ursula Viktor Wanda Xavier Yara Zoë Amara Björn Chloé Dmitri Emeka Fatou Giulia
      Hana Ivan Jun Kofi Lucía Mateus Nadia`),
    lasts: words(`Almeida Bauer Costa Dubois Eriksen Ferreira García Hoffmann Ivanova Jensen Kowalski Lopes
      Müller Nakamura Okafor Pereira Quintana Rossi Silva Tanaka Usman Vargas Weber Ximenes Yılmaz Zhang
      Adeyemi Bianchi Castro Duarte Evans Fonseca Greene Haddad Iyer Joshi Kim Larsen Moreau Novák`),
    join: " ",
    bios: lines(`Building small tools for big communities.
      Smart contracts by day, sourdough by night 🍞
      Designer who codes. Opinions are my own, bugs too.
      Ten years of distributed systems; still afraid of clocks ⏰
      gm ☀️ | open source | coffee "enthusiast"
      Escribo sobre identidad y reputación en la red.
      Développeuse Rust & mère de deux chats 🐈🐈
      Learning in public 🚀`),
    places: ["Lisbon", "Berlin", "São Paulo", "Lagos", "Kraków", "New York, NY", "Paris", "Remote 🌍"],
  },
  {
    firsts: words("Анна Борис Вера Григорий Дарья Егор Жанна Иван Ксения Лев Мария Никита"),
    lasts: words("Волков Громов Ковальчук Лебедь Мороз Новак Орлов Павленко Соколов Тихий"),
    join: " ",
    bios: lines(`Пишу код и немного стихи.
      Инженер данных, люблю графы и горы 🏔️
      Открытый код — открытые двери.`),
    places: ["Київ", "Тбилиси", "Београд", "Алматы"],
  },
  {
    firsts: words("أحمد ليلى يوسف مريم خالد سارة عمر هدى طارق نور"),
    lasts: words("حداد منصور خوري سالم نجار عباس زيدان فارس"),
    join: " ",
    bios: lines(`مطوّرة برمجيات وأحب القراءة 📚
      أبني أدوات مفتوحة المصدر للمجتمع.
      مهندس شبكات من بيروت.`),
    places: ["بيروت", "القاهرة", "عمّان", "دبي"],
  },
  {
    firsts: words("王 李 张 刘 陈 杨 赵 黄 周 吴"),
    lasts: words("芳 伟 娜 秀英 敏 静 磊 洋 艳 勇 晓明 思远"),
    join: "",
    bios: lines(`全栈工程师，喜欢开源和爬山。
      写代码，也写诗 ✍️
      区块链研究者，关注身份与声誉。`),
    places: ["上海", "台北", "深圳", "新加坡"],
  },
  {
    firsts: words("आरव अनन्या विवान दिया अर्जुन मीरा रोहन काव्या"),
    lasts: words("शर्मा वर्मा पटेल गुप्ता जोशी नायर सिंह मेहता"),
    join: " ",
    bios: lines(`मैं खुले स्रोत के औज़ार बनाती हूँ 🙏
      डेटा इंजीनियर, चाय प्रेमी ☕
      हर दिन कुछ नया सीखना।`),
    places: ["मुंबई", "दिल्ली", "पुणे", "बेंगलुरु"],
  },
];

const named = scripts.flatMap((script) =>
  script.firsts.flatMap((first) =>
    script.lasts.map((last) => ({ script, name: `${first}${script.join}${last}` })),
  ),
);

export const fullNames: readonly string[] = named.map(({ name }) => name);

/** The script of a name, with its bios and locations. */
export function scriptOf(nameCode: number): Script {
  return named[nameCode % named.length]?.script as Script;
}

export const handles = words(`nadia kofi.eth 0xmaya builder.lens sol_dev quietowl bytebaker katja.codes
  zk_ana rustacean.lens moonmath deployfriday`);

export const tags = words(`developer designer founder writer researcher investor marketer community product
  data security education gaming art`);

/** Observed values, used by the realistic profile. The document shows only "lens". */
export const sources = words("lens basename farcaster github linkedin talent_protocol builderfi twitter");

/** Observed values, used by the realistic profile. The document shows only "active_wallet". */
export const credentialTypes: Readonly<Record<string, readonly string[]>> = {
  Activity: words(`active_wallet base_transactions celo_transactions ens_account lens_followers
    farcaster_followers farcaster_casts github_stars github_followers builder_grants polygon_transactions
    optimism_transactions zora_mints snapshot_votes nfts_owned`),
  Identity: words(`worldcoin gitcoin_passport humanity_score binance_bab coinbase_verified linkedin_verified
    github_account farcaster_account lens_profile basename_owner wallet_age proof_of_humanity`),
  Skills: words(`github_commits github_repositories deployed_contracts verified_contracts hackathon_wins
    ethglobal_finalist encode_bootcamp buidlguidl developer_dao_member crypto_nomads_events questbook_reviews
    code4rena_findings`),
};
