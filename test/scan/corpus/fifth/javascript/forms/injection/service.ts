import type { PassportApi, HttpPassportApi } from "./api";
type Deps = { api: HttpPassportApi; log: Console };
interface Ctx { readonly api: HttpPassportApi }
export class Service {
  constructor(private readonly api: PassportApi) {}
  async score(id: string) { return (await this.api.one(id)).score; } // read: passport.score
}
export class Other {
  @Inject() private api!: HttpPassportApi;
  async score(id: string) { return (await this.api.one(id)).merged; } // read: passport.merged
}
export const make = ({ api }: Deps) => async (id: string) => (await api.one(id)).main_wallet; // read: passport.main_wallet
export const make2 = (deps: Deps) => async (id: string) => (await deps.api.one(id)).main_wallet; // read: passport.main_wallet
export async function handler(ctx: Ctx, id: string) {
  const p = await ctx.api.one(id);
  return p.human_checkmark; // read: passport.human_checkmark
}
export async function inline(ctx: { api: HttpPassportApi; n: number }, id: string) {
  const p = await ctx.api.one(id);
  return p.human_checkmark; // read: passport.human_checkmark
}
export async function inline2({ api }: { api: HttpPassportApi }, id: string) {
  const p = await api.one(id);
  return p.human_checkmark; // read: passport.human_checkmark
}
