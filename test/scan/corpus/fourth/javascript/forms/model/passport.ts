export class PassportModel {
  private readonly raw: any;
  wallets: string[];
  constructor(raw: any) {
    this.raw = raw;
    this.wallets = raw.verified_wallets; // read: passport.verified_wallets[]
  }
  static from(json: { passport: any }) { return new PassportModel(json.passport); }
  get total() { return this.raw.score; } // read: passport.score
  name() { return this.raw.passport_profile.display_name; } // read: passport.passport_profile.display_name
}
