import { reputation } from "./http";
import { Badge } from "./badges";

type Row = { label: string; when: string };

export async function earnedRows(passportId: number): Promise<Row[]> {
  const response = await reputation.get("/passport_credentials", { // call: passport-credentials
    params: { passport_id: passportId },
  });
  return response.data.passport_credentials
    .filter((c: any) => c.score > 0) // read: passport_credentials[].score
    .map((c: any) => ({
      label: `${c.category} / ${c.name}`, // read: passport_credentials[].category, passport_credentials[].name
      when: c.earned_at, // read: passport_credentials[].earned_at
    }));
}

export const caption = (badge: Badge) => `${badge.owner}: ${badge.score}`;
