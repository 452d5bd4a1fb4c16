import { RESTDataSource, AugmentedRequest } from "@apollo/datasource-rest";

export class PassportSource extends RESTDataSource {
  override baseURL = process.env.PASSPORT_BASE;

  override willSendRequest(_path: string, request: AugmentedRequest) {
    request.headers["x-api-key"] = process.env.PASSPORT_KEY ?? "";
  }

  async one(id: string) {
    const body = await this.get(`api/v1/passports/${encodeURIComponent(id)}`); // call: passport
    return body.passport;
  }

  async search(keyword: string) {
    return this.get("api/v1/passports", { params: { keyword } }); // call: passport-list
  }

  async credentials(passportId: number) {
    const body = await this.get("api/v1/passport_credentials", { // call: passport-credentials
      params: { passport_id: String(passportId) },
    });
    return body.passport_credentials ?? []; // hazard: fallback-default
  }
}

export class EventsSource extends RESTDataSource {
  override baseURL = process.env.EVENTS_BASE;

  attendance(wallet: string) {
    return this.get(`api/v1/attendees/${wallet}`);
  }
}
