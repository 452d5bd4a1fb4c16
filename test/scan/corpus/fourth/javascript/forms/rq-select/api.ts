export const getPassport = async (id: string) => {
  const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  if (!res.ok) throw new Error("x");
  return res.json();
};
