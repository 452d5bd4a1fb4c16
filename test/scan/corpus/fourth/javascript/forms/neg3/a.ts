const links = { docs: "https://rep.example.org/docs/api/v1/passports.html", me: "/settings/passports" };
test("x", () => { expect(links.me).toBe("/settings/passports"); });
export const nav = () => router.push("/passports/" + id);
