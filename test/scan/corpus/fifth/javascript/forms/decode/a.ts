import * as t from "io-ts";
import { pipe } from "fp-ts/function";
import * as E from "fp-ts/Either";
import * as TE from "fp-ts/TaskEither";
import * as v from "valibot";
import Joi from "joi";
import { Schema } from "effect";
import { Value } from "@sinclair/typebox/value";
import { type } from "arktype";
import { create, object } from "superstruct";
import axios from "axios";
const One = t.type({ passport: t.type({ score: t.number }) });
const raw = await axios.get(`${process.env.B}/api/v1/passports/1`); // call: passport
const d = One.decode(raw.data);
if (E.isRight(d)) console.log(d.right.passport.score); // read: passport.score
if (d._tag === "Right") console.log(d.right.passport.merged); // read: passport.merged
const p1 = t.type({}).decode(raw.data.passport);
if (E.isRight(p1)) console.log(p1.right.score); // read: passport.score
E.fold(() => 0, (x: any) => x.passport.score)(d); // read: passport.score
pipe(d, E.map((x) => x.passport.main_wallet), E.getOrElse(() => "")); // read: passport.main_wallet
pipe(d, E.match(() => 0, (x) => x.passport.merged)); // read: passport.merged
const vv = v.safeParse(v.object({}), raw.data.passport);
if (vv.success) console.log(vv.output.score); // read: passport.score
const { value, error } = Joi.object({}).validate(raw.data.passport);
console.log(value.score); // read: passport.score
const es = Schema.decodeUnknownSync(Schema.Struct({}))(raw.data);
console.log(es.passport.score); // read: passport.score
const tb = Value.Decode(Thing, raw.data);
console.log(tb.passport.score); // read: passport.score
const Ark = type({ passport: "object" });
const ak = Ark(raw.data);
console.log(ak.passport.score); // read: passport.score
const ss = create(raw.data, object({}));
console.log(ss.passport.score); // read: passport.score
const z1 = schema.safeParse(raw.data.passport);
if (z1.success) console.log(z1.data.activity_score); // read: passport.activity_score
const load = (id: string) => TE.tryCatch(() => axios.get(`${process.env.B}/api/v1/passports/${id}`), String); // call: passport
const prog = pipe(load("1"), TE.map((r) => r.data.passport), TE.map((p) => p.score)); // read: passport.score
