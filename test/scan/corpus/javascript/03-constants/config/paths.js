export const HOST = process.env.REPUTATION_HOST ?? "https://reputation.example.com";
export const VERSION = "v1";
export const PASSPORTS = "passports";
export const routes = { credentials: "/api/v1/passport_credentials" };
