const get = (base: string) => (path: string) => async (params: Record<string, string> = {}) => {
  const r = await fetch(`${base}${path}?${new URLSearchParams(params)}`);
  return r.json();
};
const v1 = get("https://rep.example.org/api/v1");
const listPeople = v1("/passports"); // call: passport-list
export const names = async (k: string) => (await listPeople({ keyword: k })).passports.map((p: any) => p.passport_profile.display_name); // read: passports[].passport_profile.display_name
