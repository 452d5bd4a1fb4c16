import axios from "axios";
const text = "SELECT main_wallet FROM people";
export async function all(id, pool, db, prisma, sql, knex, Person, repo) {
  const { data } = await axios.get(`/api/v1/passports/${id}`); // call: passport
  data.passport.score; // read: passport.score
  const { rows } = await pool.query(text);
  rows.map((r) => r.main_wallet);
  const r2 = await sql`select * from people where id = ${id}`;
  r2[0].human_checkmark;
  db.prepare("SELECT * FROM people").all().forEach((r) => r.main_wallet);
  (await prisma.person.findMany({ where: { id } })).map((p) => p.verified_wallets);
  (await knex("people").where({ id }).first()).main_wallet;
  (await db.collection("people").findOne({ id })).human_checkmark;
  for (const p of await db.select().from(Person)) p.main_wallet;
  pool.query("SELECT 1 FROM x", (err, result) => result.rows[0].main_wallet);
  const hit = await repo.findOneBy({ id });
  if (hit) hit.human_checkmark;
  const { data: mine } = await supabase.from("people").select("*");
  mine[0].main_wallet;
}
