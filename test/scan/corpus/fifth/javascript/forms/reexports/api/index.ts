export * as passports from "./passports";
export { default as credentials } from "./credentials";
