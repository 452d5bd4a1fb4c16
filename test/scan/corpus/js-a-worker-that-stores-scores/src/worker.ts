import { Worker, Queue } from "bullmq";
import got from "got";
import { jobData, passportReply } from "./schema";
import { pool } from "./pool";

const connection = { url: process.env.REDIS_URL };
const later = new Queue("score-refresh", { connection });

const http = got.extend({
  prefixUrl: process.env.REP_URL,
  headers: { "x-api-key": process.env.REP_KEY },
  retry: { limit: 2 },
});

new Worker(
  "score-refresh",
  async (job) => {
    const data = jobData.parse(job.data);
    const raw = await http.get(`api/v1/passports/${data.wallet}`).json(); // call: passport
    const { passport } = passportReply.parse(raw);

    if (passport.calculating_score) { // read: passport.calculating_score
      await later.add("again", data, { delay: 60_000 });
      return;
    }

    const farcaster = passport.passport_socials.find((s) => s.source === "farcaster"); // read: passport.passport_socials, passport.passport_socials[].source
    const followers = parseInt(farcaster?.follower_count ?? "", 10); // read: passport.passport_socials[].follower_count
    const following = parseInt(farcaster?.following_count ?? "", 10); // read: passport.passport_socials[].following_count
    const ratio = Number.isNaN(followers) || Number.isNaN(following) ? null : followers / following;

    await pool.query(
      "update users set score = $1, score_at = $2, follow_ratio = $3, passport_id = $4 where id = $5",
      [passport.score, passport.last_calculated_at, ratio, passport.passport_id, data.userId], // read: passport.score, passport.last_calculated_at, passport.passport_id
    );

    const { rows } = await pool.query("select score, previous_score from users where id = $1", [data.userId]);
    if ((rows[0].score ?? 0) > (rows[0].previous_score ?? 0)) {
      await got.post(process.env.HOOK_URL!, { json: { user: data.userId, score: rows[0].score } }).catch(() => {});
    }
  },
  { connection, limiter: { max: 2, duration: 1000 } },
);
