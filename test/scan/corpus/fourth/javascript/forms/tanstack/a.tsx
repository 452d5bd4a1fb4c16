import { createFileRoute } from "@tanstack/react-router";
export const Route = createFileRoute("/p/$id")({
  loader: async ({ params }) => {
    const r = await fetch(`/api/v1/passports/${params.id}`); // call: passport
    return r.json();
  },
  component: Page,
});
function Page() {
  const { passport } = Route.useLoaderData();
  return <b>{passport.score}</b>; // read: passport.score
}
