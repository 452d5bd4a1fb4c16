const { ApolloServer, gql } = require("apollo-server");
const { PassportAPI } = require("./source");
const typeDefs = gql`
  type Person { id: ID!, name: String, socials: [Social] }
  type Social { site: String }
  type Query { person(id: ID!): Person, people: [Person!]! }
`;
const Person = {
  id: (p) => p.passport_id, // read: passport.passport_id, passports[].passport_id
  name: ({ passport_profile }) => passport_profile.display_name, // read: passport.passport_profile.display_name, passports[].passport_profile.display_name
  socials: (p) => p.passport_socials, // read: passport.passport_socials
};
const Social = { site: (s) => s.source }; // read: passport.passport_socials[].source
const Query = {
  person: (_, { id }, { dataSources }) => dataSources.passports.getPassport(id),
  people: (_, __, { dataSources }) => dataSources.passports.getPassports(),
};
const server = new ApolloServer({ typeDefs, resolvers: { Query, Person, Social }, dataSources: () => ({ passports: new PassportAPI() }) });
