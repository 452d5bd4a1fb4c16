export * as api from "./http";
export { getJson as default } from "./http";
