// distractions
const travel = await (await fetch("https://border.example.gov/v2/passports/1")).json();
console.log(travel.passport.score, travel.passport.passport_profile?.bio);
const own = await (await fetch("/api/passports")).json();
console.log(own.map((x) => x.score));
const v1 = await (await fetch(`${process.env.B}/api/v1/passports/1`)).json(); // call: passport
const summary = { score: v1.passport.score, human_checkmark: true, location: "x" }; // read: passport.score
console.log(summary.score, summary.location);
const game = { passports: [{ score: 1, main_wallet: "x" }] };
for (const p of game.passports) console.log(p.score, p.main_wallet);
const rows = await db.query("select score, main_wallet from people");
for (const row of rows) console.log(row.score, row.passport_id);
const v2 = await (await fetch(`${process.env.B}/api/v2/passports/1`)).json();
console.log(v2.passport.score, v2.passport.human_checkmark);
interface Person { score: number; passport_id: number }
const f = (p: Person) => p.score + p.passport_id;
export const ctxHandler = async (req: any, res: any) => { req.user = await db.user(req.params.id); res.json({ score: req.user.score }); };
