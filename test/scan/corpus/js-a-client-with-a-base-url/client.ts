import axios, { type AxiosInstance } from "axios";

export const client: AxiosInstance = axios.create({
  baseURL: `${process.env.PASSPORT_API ?? "https://api.example.com"}/api/v1`,
  timeout: 5000,
  headers: { "X-API-KEY": process.env.PASSPORT_KEY },
});

export const fetchPassport = (id: string) => client.get(`/passports/${id}`).then(({ data }) => data.passport); // call: passport

export const fetchCredentials = async (passport_id: string) => {
  const response = await client.get("passport_credentials", { params: { passport_id } }); // call: passport-credentials
  return response.data.passport_credentials;
};
