const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });

async function passportOf(nurseId) {
  const { rows } = await pool.query(
    `SELECT p.passport_id, p.score, p.last_calculated_at, n.display_name, n.ward AS location
       FROM passports p JOIN nurses n ON n.id = p.nurse_id
      WHERE n.id = $1`,
    [nurseId],
  );
  return rows[0] ?? null;
}

async function listPassports(ward, page) {
  const size = 25;
  const { rows } = await pool.query(
    `SELECT p.passport_id, p.score, n.display_name, count(*) OVER () AS total
       FROM passports p JOIN nurses n ON n.id = p.nurse_id
      WHERE $1::text IS NULL OR n.ward = $1
      ORDER BY p.score DESC LIMIT ${size} OFFSET $2`,
    [ward ?? null, (page - 1) * size],
  );
  const total = Number(rows[0]?.total ?? 0);
  return { passports: rows, pagination: { current_page: page, last_page: Math.ceil(total / size), total } };
}

async function saveObservation({ passportId, skill, score, assessor }) {
  await pool.query('INSERT INTO observations (passport_id, skill, score, assessor) VALUES ($1, $2, $3, $4)', [
    passportId,
    skill,
    score,
    assessor,
  ]);
  await pool.query(
    `UPDATE passports SET last_calculated_at = now(),
            score = (SELECT avg(score) FROM observations WHERE passport_id = $1)
      WHERE passport_id = $1`,
    [passportId],
  );
}

module.exports = { passportOf, listPassports, saveObservation };
