import _ from "lodash";
import * as R from "ramda";
import fp from "lodash/fp";
import { prop, path, pipe, map } from "ramda";
const body = await fetch(`${process.env.B}/api/v1/passports/1`).then((r) => r.json()); // call: passport
const a = _.get(body, ["passport", "score"]); // read: passport.score
const b = R.path(["passport", "main_wallet"])(body); // read: passport.main_wallet
const c = R.prop("passport", body).score; // read: passport.score
const d = fp.get("passport.passport_profile.bio")(body); // read: passport.passport_profile.bio
const e = R.pipe(R.prop("passport"), R.prop("merged"))(body); // read: passport.merged
const f = _.flow(fp.get("passport"), fp.get("score"))(body); // read: passport.score
const g = body.passport.passport_socials.map(_.property("source")); // read: passport.passport_socials[].source
const h = R.map(R.prop("profile_url"), body.passport.passport_socials); // read: passport.passport_socials[].profile_url
const i = pipe(path(["passport", "passport_socials"]), map(prop("profile_name")))(body); // read: passport.passport_socials[].profile_name
const j = _.chain(body.passport.passport_socials).sortBy("follower_count").map("source").value(); // read: passport.passport_socials, passport.passport_socials[].follower_count, passport.passport_socials[].source
const k = _(body.passport.passport_socials).map("source").uniq().value(); // read: passport.passport_socials, passport.passport_socials[].source
const l = R.pathOr(0, ["passport", "activity_score"], body); // read: passport.activity_score; hazard: fallback-default
const m = _.at(body, ["passport.score", "passport.merged"]); // read: passport.score, passport.merged
const o = R.props(["score", "merged"], body.passport); // read: passport.score, passport.merged
const { x = 1, ...rest } = _.pick(body.passport, ["score", "human_checkmark"]); // read: passport.score, passport.human_checkmark
