export const VERSION = "v1";
export const ENDPOINTS = {
  list: "/passports",
  one: (id: string) => `/passports/${id}`,
  creds: (id: string) => `/passport_credentials?passport_id=${id}`,
} as const;
