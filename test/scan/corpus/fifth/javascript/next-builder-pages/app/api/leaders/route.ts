import { NextRequest, NextResponse } from "next/server";

export const runtime = "edge";

export async function GET(req: NextRequest) {
  const url = new URL("/api/v1/passports", process.env.REPUTATION_URL);
  const q = req.nextUrl.searchParams.get("q");
  if (q) url.searchParams.set("keyword", q);

  const upstream = await fetch(url, { headers: { "X-API-KEY": process.env.REPUTATION_KEY! } }); // call: passport-list
  if (upstream.status === 401) {
    return NextResponse.json({ error: "reputation key rejected" }, { status: 502 });
  }
  const body = await upstream.json();
  const leaders = body.passports.slice(0, 10).map((p: any) => ({
    id: p.passport_id, // read: passports[].passport_id
    name: p.passport_profile?.display_name, // read: passports[].passport_profile.display_name
    score: p.score, // read: passports[].score
  }));
  leaders.sort((a: any, b: any) => b.score - a.score);
  return NextResponse.json({ leaders, total: body.pagination.total }); // read: pagination.total
}
