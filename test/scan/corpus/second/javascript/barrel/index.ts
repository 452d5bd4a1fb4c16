export * from "./passports";
export { default as http } from "./http";
