import { findCredentials, findHolder } from ".";

export const load = async ({ params }: { params: { id: string } }) => {
  const holder = await findHolder(params.id);
  const credentials = await findCredentials(params.id);
  return {
    title: holder?.passport_profile?.display_name, // read: passport.passport_profile.display_name
    points: credentials.map((c) => c.score).reduce((a, b) => a + b, 0), // read: passport_credentials[].score
    grouped: Object.groupBy(credentials, (c) => c.category), // read: passport_credentials[].category
  };
};
