import { homedir } from "node:os";
import { join } from "node:path";

export const config = {
  host: process.env.WHOBUILDS_HOST ?? "https://api.talentprotocol.com",
  key: process.env.WHOBUILDS_KEY,
  cacheDir: join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "whobuilds"),
  ttl: 6 * 3600 * 1000,
};
