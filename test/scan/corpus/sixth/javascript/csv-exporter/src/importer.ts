import fs from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { PrismaClient } from '@prisma/client';

const prisma = new PrismaClient();

// Reads the team's hand-kept sheet, whose columns borrow the names of the API.
export async function importSheet(path: string) {
  const text = await fs.readFile(path, 'utf8');
  const records: Record<string, string>[] = parse(text, { columns: true });
  for (const record of records) {
    await prisma.member.upsert({
      where: { id: Number(record.passport_id) },
      update: { score: Number(record.score) || 0 },
      create: {
        id: Number(record.passport_id),
        score: Number(record.score) || 0,
        displayName: record.display_name,
        followers: parseInt(record.follower_count, 10),
      },
    });
  }
  return prisma.member.count();
}
