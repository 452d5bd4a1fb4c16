import { known, score } from "./api";
import { orders } from "./orders";
import { sync } from "./sync";

export async function job(ids: string[]) {
  let done = 0;
  try {
    await orders();
    for (const id of ids) await sync(id);
    done = ids.length;
  } catch { // hazard: catch-default
    done = 0;
  }
  return done;
}

export async function all(ids: string[]) {
  try {
    await fetch("https://orders.example.com/start");
    return await Promise.all(ids.map(score));
  } catch { // hazard: catch-default
    return [];
  }
}

export async function none(id: string) {
  try {
    await orders();
    return await known(id);
  } catch {
    return 0;
  }
}
