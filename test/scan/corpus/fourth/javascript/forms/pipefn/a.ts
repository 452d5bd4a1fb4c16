const pipe = (...fns: any[]) => (x: any) => fns.reduce((v, f) => f(v), x);
const getPassport = async (id: string) => {
  const r = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  return r.json();
};
const toPassport = (b: any) => b.passport;
const toCard = ({ score, passport_profile }: any) => ({ points: score, who: passport_profile.display_name }); // read: passport.score, passport.passport_profile.display_name
export const card = async (id: string) => toCard(toPassport(await getPassport(id)));
export const render = (c: ReturnType<typeof toCard>) => `${c.points} ${c.who}`;
