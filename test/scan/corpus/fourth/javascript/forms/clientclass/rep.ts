import { BaseClient } from "./base";
export interface Holder { score: number; passport_id: number; human_checkmark: boolean } // hazard: integer-id
export class Rep extends BaseClient {
  constructor(key: string) { super({ baseUrl: "https://rep.example.org", key }); }
  async holder(id: string) {
    const { passport } = await this.request<{ passport: Holder }>("GET", `/api/v1/passports/${id}`); // call: passport
    return passport;
  }
  async *pages(keyword: string) {
    for (let page = 1; ; page++) {
      const body = await this.request<any>("GET", "/api/v1/passports", { keyword, page: String(page) }); // call: passport-list
      yield body.passports;
      if (body.pagination.current_page === body.pagination.last_page) return; // read: pagination.current_page, pagination.last_page
    }
  }
}
