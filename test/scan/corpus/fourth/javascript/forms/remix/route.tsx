import { useLoaderData } from "@remix-run/react";
import { json } from "@remix-run/node";
export async function loader({ params }) {
  const res = await fetch(`${process.env.REP}/api/v1/passports/${params.id}`); // call: passport
  const body = await res.json();
  return json({ passport: body.passport });
}
export default function Page() {
  const { passport } = useLoaderData<typeof loader>();
  return <h1>{passport.score}</h1>; // read: passport.score
}
