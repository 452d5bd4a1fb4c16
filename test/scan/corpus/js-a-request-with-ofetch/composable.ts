import { ofetch } from "ofetch";

const v1 = ofetch.create({ baseURL: "/api/v1" });

interface Credential {
  id: string;
  type: string;
  value: string | null;
}

export async function useCredentials(passportId: number) {
  const { passport_credentials = [] } = await v1<{ passport_credentials: Credential[] }>("/passport_credentials", { query: { passport_id: passportId } }); // call: passport-credentials; hazard: fallback-default
  return passport_credentials.reduce<Record<string, string>>((all, { type, value }) => { // read: passport_credentials[].type, passport_credentials[].value
    all[type] = value ?? "";
    return all;
  }, {});
}
