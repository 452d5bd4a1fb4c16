import axios from "axios";
axios.defaults.baseURL = "https://rep.example.org/api/v1";
export const a = async (id: string) => {
  const r = await axios({ method: "get", url: `/passports/${id}` }); // call: passport
  return r.data.passport.score; // read: passport.score
};
export const b = async () => {
  const { data: { passports = [] } = {} } = await axios.request({ url: "/passports", params: { keyword: "k" } }); // call: passport-list; hazard: fallback-default
  return passports.filter(({ human_checkmark }) => human_checkmark).length; // read: passports[].human_checkmark
};
