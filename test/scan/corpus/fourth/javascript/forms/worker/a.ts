import { Worker, Queue } from "bullmq";
const q = new Queue("p");
export const w = new Worker("p", async (job) => {
  const res = await fetch(`${process.env.REP_API}/passports/${job.data.id}`); // call: passport
  if (!res.ok) throw new Error("no");
  const { passport } = await res.json();
  await db.update({ score: passport.score, wallets: passport.verified_wallets }); // read: passport.score, passport.verified_wallets[]
});
