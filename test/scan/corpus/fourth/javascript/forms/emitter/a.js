import { EventEmitter } from "node:events";
const bus = new EventEmitter();
bus.on("passport", (p) => console.log(p.main_wallet, p.score)); // read: passport.main_wallet, passport.score
const r = await fetch("https://rep.example.org/api/v1/passports/1"); // call: passport
bus.emit("passport", (await r.json()).passport);
