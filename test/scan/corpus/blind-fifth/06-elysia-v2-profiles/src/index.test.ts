import { afterEach, describe, expect, mock, test } from "bun:test";
import { app } from "./index";

const wallet = "0x33041027dd8f4dc82b6e825fb37adf8f15d44053";
const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

function answer(routes: Record<string, unknown>) {
  globalThis.fetch = mock(async (input: URL) => {
    const body = routes[new URL(input).pathname];
    return body ? Response.json(body) : new Response("{}", { status: 404 });
  }) as any;
}

describe("passport", () => {
  test("joins profile, score and socials", async () => {
    answer({
      "/profile": { profile: { id: "b3c1", display_name: "Ana", human_checkmark: true } },
      "/score": { score: { points: 121, last_calculated_at: null } },
      "/socials": { socials: [{ source: "farcaster", followers_count: 10 }] },
    });
    const res = await app.handle(new Request(`http://localhost/passport/${wallet}`));
    const body = await res.json();
    expect(body.passport_id).toBe("b3c1");
    expect(body.score).toBe(121);
    expect(body.followers).toBe(10);
  });

  test("unknown wallet", async () => {
    answer({});
    const res = await app.handle(new Request(`http://localhost/passport/${wallet}`));
    expect(res.status).toBe(404);
  });
});
