// Names that earlier versions wrote into stores, and what they are called now.
const renamed = new Map([
  ["by-wallet", "by-other-id"],
  ["credentials-empty", "sublist-empty"],
]);

/** The name that this version has for a variant or a rule; other values stay as they are. */
export const currentName = (value: unknown): unknown =>
  typeof value === "string" ? (renamed.get(value) ?? value) : value;
