import { get } from "./http";
export default {
  of: (id: number) => get<any>("/api/v1/passport_credentials", { passport_id: id }), // call: passport-credentials
};
