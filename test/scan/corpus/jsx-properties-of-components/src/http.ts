import axios from "axios";

const host = process.env.REPUTATION_HOST ?? "https://rep.example.org";

export const reputation = axios.create({
  baseURL: `${host}/api/v1`,
  timeout: 8000,
  headers: { "X-API-KEY": process.env.REPUTATION_KEY ?? "" },
});

// the travel desk exposes /v1/passport/:number, keep the two apart
export const travelDesk = axios.create({
  baseURL: "https://traveldesk.example.com/v1",
});

reputation.interceptors.request.use((config) => {
  config.headers["X-Request-Source"] = "badge-dashboard";
  return config;
});
