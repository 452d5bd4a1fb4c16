import nock from "nock";
import { candidateTitle } from "../lib/candidate";

describe("GET /api/v1/passports/:id", () => {
  beforeEach(() => {
    nock("https://talent.example.io")
      .get("/api/v1/passports/9")
      .reply(200, {
        passport: { score: 4, passport_profile: { bio: "b", tags: ["x"], location: "Faro" } },
      });
  });

  it("joins bio, location and tags", async () => {
    expect(await candidateTitle("9")).toBe("b - Faro - x");
  });
});
