import { useGetPassportQuery, useGetCredsQuery } from "./api";
export function View({ id }) {
  const { data: passport } = useGetPassportQuery(id);
  const creds = useGetCredsQuery(id);
  return <p>{passport?.score}{creds.data?.passport_credentials.map((c) => <i>{c.name}</i>)}</p>; // read: passport.score, passport_credentials[].name
}
