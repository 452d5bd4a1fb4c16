/**
 * The members that are not undefined: for headers, environments and other dictionaries, whose readers tell "absent" from
 * "undefined". Name the type, so that the compiler checks the members: `omitUndefined<Headers>({ … })`.
 */
export function omitUndefined<T extends object>(members: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
