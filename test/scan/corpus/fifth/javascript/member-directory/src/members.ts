import { PrismaClient } from "@prisma/client";

const prisma = new PrismaClient();

// our tables kept the old column names after the move to the new API
export async function topMembers(limit = 20) {
  const rows = await prisma.passport.findMany({
    orderBy: { score: "desc" },
    take: limit,
    select: { passport_id: true, score: true, main_wallet: true, human_checkmark: true, passport_profile: true },
  });
  return rows.map((row) => ({
    id: row.passport_id,
    score: row.score ?? 0,
    wallet: row.main_wallet,
    human: row.human_checkmark,
    name: row.passport_profile?.display_name ?? "anonymous",
  }));
}

export async function sync(wallet: string) {
  const res = await fetch(`${process.env.REP_URL}/api/v2/passports/${wallet}`, {
    headers: { "X-API-KEY": process.env.REP_KEY! },
  });
  if (!res.ok) return null;
  const { passport } = await res.json();
  return prisma.passport.update({
    where: { main_wallet: wallet },
    data: { score: passport.score ?? 0, human_checkmark: passport.human_checkmark },
  });
}
