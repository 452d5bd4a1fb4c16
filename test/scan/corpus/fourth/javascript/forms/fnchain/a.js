const check = (r) => { if (!r.ok) throw new Error(r.status); return r; };
const toJson = (r) => r.json();
const pickPassport = ({ passport }) => passport;
export const load = (id) =>
  fetch(`${process.env.REP_URL}/api/v1/passports/${id}`) // call: passport
    .then(check)
    .then(toJson)
    .then(pickPassport);
load(1).then((p) => console.log(p.score)).catch(console.error); // read: passport.score; hazard: catch-default
