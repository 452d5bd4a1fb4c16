import { NextResponse } from "next/server";

export async function GET(_req: Request, { params }: { params: { id: string } }) {
  const res = await fetch(`https://api.example.com/api/v1/passports/${params.id}`, { // call: passport
    headers: { "X-API-KEY": process.env.PASSPORT_KEY ?? "" },
  });
  const data = await res.json();
  return NextResponse.json(data.passport);
}
