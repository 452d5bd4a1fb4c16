import { Worker, Queue } from "bullmq";
import { EventEmitter } from "node:events";
const bus = new EventEmitter();
const q = new Queue("p");
export async function produce(id: string) {
  const { passport } = await (await fetch(`${process.env.B}/api/v1/passports/${id}`)).json(); // call: passport
  bus.emit("passport", passport);
  await q.add("store", { passport });
}
bus.on("passport", (p) => console.log(p.score)); // read: passport.score
export async function handler(event: any) {
  const results = await Promise.allSettled(event.Records.map((r: any) => fetch(`${process.env.B}/api/v1/passports/${r.id}`).then((x) => x.json()))); // call: passport
  for (const r of results) if (r.status === "fulfilled") console.log(r.value.passport.score); // read: passport.score
  const good = results.filter((r) => r.status === "fulfilled").map((r) => r.value.passport);
  return good.map(({ verified_wallets: [first] }) => first); // read: passport.verified_wallets[]
}
