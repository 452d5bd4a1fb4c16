const API = "https://api.example.com/api/v1";

async function api(path, env) {
  const res = await fetch(new URL(`${API}${path}`), { headers: { "X-API-KEY": env.KEY } });
  if (!res.ok) {
    return { ok: false, status: res.status };
  }
  return { ok: true, data: await res.json() };
}

export default {
  async fetch(request, env) {
    const id = new URL(request.url).searchParams.get("id");
    const result = await api(`/passports/${id}`, env); // call: passport
    if (!result.ok) return new Response("upstream", { status: 502 });
    const { passport } = result.data;
    const body = { level: passport.score > 80 ? "gold" : "none", at: passport.last_calculated_at }; // read: passport.score, passport.last_calculated_at
    return Response.json(body);
  },
};
