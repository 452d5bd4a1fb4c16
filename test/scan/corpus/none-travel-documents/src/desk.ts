import { travelPassport, travelPassports } from "./client";

export async function deskLine(no: string): Promise<string> {
  const { passport_id, merged, location } = await travelPassport(no);
  return `${passport_id} ${merged ? "(merged)" : ""} ${location}`;
}

export async function count(holder: string): Promise<number> {
  try {
    const list = await travelPassports(holder);
    return list.filter((p) => p.verified).length;
  } catch {
    return 0;
  }
}

export const locations = async (holder: string) => (await travelPassports(holder)).map((p) => p.location);
