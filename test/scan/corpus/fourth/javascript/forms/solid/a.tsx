import { createResource, createSignal, For, Show } from "solid-js";
const load = async (id: string) => (await (await fetch(`/api/v1/passports/${id}`)).json()).passport; // call: passport
export function P() {
  const [id] = createSignal("1");
  const [passport, { refetch }] = createResource(id, load);
  return <Show when={passport()}><p>{passport().score}</p><For each={passport().passport_socials}>{(s) => <i>{s.source}</i>}</For></Show>; // read: passport.passport_socials, passport.score, passport.passport_socials[].source
}
