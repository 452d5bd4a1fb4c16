import axios from "axios";

// Client of the ministry's travel document service.
// Do not confuse with the reputation API's GET /api/v1/passports/{id}.
const ministry = axios.create({ baseURL: "https://docs.ministry.example.gov/v1" });

export interface TravelPassport {
  passport_id: string;
  merged: boolean;
  location: string;
  verified: boolean;
}

export async function travelPassport(no: string): Promise<TravelPassport> {
  const { data } = await ministry.get(`/passport/${no}`);
  return data.passport;
}

export async function travelPassports(holder: string): Promise<TravelPassport[]> {
  const { data } = await ministry.get("/passport/search", { params: { keyword: holder } });
  return data.passports;
}
