import { passport } from "./api";
import { db } from "./db";

export async function sync(id: string) {
  const p = await passport(id);
  await db.save(id, p.score); // read: passport.score
}
