export interface Passport {
  number: string;
  nationality: string;
  expiry_date: string;
  location: string;
  score: number;
}

export async function renew(passport: Passport) {
  const response = await fetch("/api/v1/passports", { method: "POST", body: JSON.stringify(passport) });
  const { application } = await response.json();
  return application.id;
}

export async function stamps(id: string) {
  const res = await fetch(`/api/v1/passports/${id}/stamps`);
  return (await res.json()).stamps;
}

export async function offices() {
  const res = await fetch("/api/v1/passports/offices");
  const { offices } = await res.json();
  return offices.map((o: { location: string; name: string }) => `${o.name} ${o.location || 0}`);
}
export const valid = (p: Passport) => p.nationality && p.score > 3;
