import { useLoaderData, json, defer, Await, useFetcher } from "@remix-run/react";
export async function loader({ params }: any) {
  const res = await fetch(`${process.env.REP}/api/v1/passports/${params.id}`); // call: passport
  const { passport } = await res.json();
  const creds = fetch(`${process.env.REP}/api/v1/passport_credentials?passport_id=${params.id}`).then((r) => r.json()); // call: passport-credentials
  return defer({ passport, creds });
}
export const meta = ({ data }: any) => [{ title: data.passport.passport_profile.display_name }]; // read: passport.passport_profile.display_name
export default function Page() {
  const { passport, creds } = useLoaderData<typeof loader>();
  return <main><h1>{passport.score}</h1> {/* read: passport.score */}
    <Await resolve={creds}>{(c) => <ul>{c.passport_credentials.map((x) => <li key={x.id}>{x.name}</li>)}</ul>}</Await> {/* read: passport_credentials[].id, passport_credentials[].name */}
  </main>;
}
