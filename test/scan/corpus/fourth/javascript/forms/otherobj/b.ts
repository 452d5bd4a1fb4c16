export const load = async (id: string) => (await (await fetch(`https://rep.example.org/api/v1/passports/${id}`)).json()).passport; // call: passport
