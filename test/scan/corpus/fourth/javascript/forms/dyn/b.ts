import { get as httpGet } from "axios";
export const fetchPassport = async (id: string) => {
  const { data } = await httpGet(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  return data.passport;
};
