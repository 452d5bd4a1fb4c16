import { NextRequest, NextResponse } from "next/server";
import type { Passport } from "../../../lib/passport";

type ListResponse = {
  passports: Passport[];
  pagination: { current_page: number; last_page: number; total: number };
};

export async function GET(request: NextRequest) {
  const keyword = request.nextUrl.searchParams.get("q") ?? "";
  const url = new URL("/api/v1/passports", process.env.REPUTATION_API_URL);
  url.searchParams.set("keyword", keyword);

  try {
    const res = await fetch(url, { headers: { "X-API-KEY": process.env.REPUTATION_API_KEY! } }); // call: passport-list
    const data: ListResponse = await res.json();
    const results = data.passports.map((p) => ({
      id: p.passport_id, // read: passports[].passport_id
      title: p.passport_profile?.display_name || p.main_wallet, // read: passports[].passport_profile.display_name, passports[].main_wallet
      score: p.score, // read: passports[].score
    }));
    results.sort((a, b) => b.score - a.score);
    return NextResponse.json({ results, more: data.pagination.last_page > 1 }); // read: pagination.last_page
  } catch (error) { // hazard: catch-default
    console.error(error);
    return NextResponse.json({ results: [], more: false });
  }
}
