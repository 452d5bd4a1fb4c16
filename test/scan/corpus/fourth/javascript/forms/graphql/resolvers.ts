import { RESTDataSource } from "@apollo/datasource-rest";
export class RepAPI extends RESTDataSource {
  override baseURL = "https://rep.example.org/api/v1/";
  async getPassport(id: string) {
    const { passport } = await this.get(`passports/${id}`); // call: passport
    return passport;
  }
}
export const resolvers = {
  Query: { passport: (_: any, { id }: any, { dataSources }: any) => dataSources.rep.getPassport(id) },
  Passport: {
    score: (p: any) => p.score,
    humanCheckmark: (p: any) => p.human_checkmark, // read: passport.human_checkmark
  },
};
