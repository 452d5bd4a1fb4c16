import { ENDPOINTS, VERSION } from "./endpoints";
const call = async (path: string) => {
  const res = await fetch([process.env.HOST, "api", VERSION].join("/") + path);
  return res.json();
};
export const getOne = (id: string) => call(ENDPOINTS.one(id)); // call: passport
export const getList = () => call(ENDPOINTS.list); // call: passport-list
export const getCreds = async (id: string) => (await call(ENDPOINTS.creds(id))).passport_credentials ?? []; // call: passport-credentials; hazard: fallback-default
