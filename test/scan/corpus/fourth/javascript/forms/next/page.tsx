export async function getServerSideProps({ params }) {
  const res = await fetch(`${process.env.REP}/api/v1/passports/${params.id}`); // call: passport
  if (!res.ok) return { notFound: true };
  const { passport } = await res.json();
  return { props: { passport } };
}
export default function Page({ passport }) {
  return <h1>{passport.passport_profile.display_name} {passport.score}</h1>; // read: passport.passport_profile.display_name, passport.score
}
