const http = (p: string) => fetch("/api/v1" + p).then((r) => r.json());
export const api = { one: (id: string) => http("/passports/" + id), list: () => http("/passports") }; // call: passport, passport-list
