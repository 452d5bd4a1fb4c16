export const tellingNames: ReadonlySet<string> = new Set(["draught_cm", "vessels_moored", "harbour_name"]);
export const distinctiveNames: ReadonlySet<string> = new Set([...tellingNames, "surveyed_at", "is_tidal"]);
export const numbersAsText: ReadonlySet<string> = new Set();
export const integerIds: ReadonlySet<string> = new Set();
export const writtenId = /^[A-Z]{2}-[a-z]{4}$/;
