import { http, HttpResponse, rest } from "msw";
export const handlers = [
  http.get("https://rep.example.org/api/v1/passports/:id", ({ params }) => HttpResponse.json({ passport: { score: 1, id: params.id } })),
  http.get("*/api/v1/passports", () => HttpResponse.json({ passports: [] })),
  rest.get("/api/v1/passport_credentials", (req, res, ctx) => res(ctx.json({ passport_credentials: [] }))),
];
