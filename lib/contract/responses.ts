// What a 200 of each endpoint holds, as a schema.
import type * as z from "zod";
import type { EndpointId } from "./endpoints.ts";
import { passportBody, passportCredentialsBody, passportListBody } from "./schemas.ts";

export const responses: Record<EndpointId, z.ZodObject> = {
  "passport-list": passportListBody,
  passport: passportBody,
  "passport-credentials": passportCredentialsBody,
};
