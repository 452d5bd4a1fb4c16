import { NextRequest, NextResponse } from "next/server";

const UPSTREAM = process.env.UPSTREAM_URL ?? "https://rep.example.org";

export const revalidate = 300;

export async function GET(_req: NextRequest, { params }: { params: { wallet: string } }) {
  const upstream = await fetch(`${UPSTREAM}/api/v1/passports/${params.wallet}`, { // call: passport
    headers: { "X-API-KEY": process.env.UPSTREAM_KEY as string },
    next: { revalidate },
  });
  if (!upstream.ok) { // hazard: status-default
    return NextResponse.json({ points: 0, links: [] });
  }
  const { passport } = await upstream.json();
  const links = passport.passport_socials // read: passport.passport_socials
    ?.filter((s: any) => s.source !== "lens" && s.profile_url) // read: passport.passport_socials[].source, passport.passport_socials[].profile_url
    .map((s: any) => ({ href: s.profile_url, img: s.profile_image_url, fans: parseInt(s.follower_count, 10) })); // read: passport.passport_socials[].profile_url, passport.passport_socials[].profile_image_url, passport.passport_socials[].follower_count
  return NextResponse.json({ points: passport.score, bio: passport.passport_profile.bio, links }); // read: passport.score, passport.passport_profile.bio
}
