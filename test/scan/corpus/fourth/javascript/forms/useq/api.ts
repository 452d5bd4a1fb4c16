export const one = (id: string) => fetch(`/api/v1/passports/${id}`).then((r) => r.json()); // call: passport
