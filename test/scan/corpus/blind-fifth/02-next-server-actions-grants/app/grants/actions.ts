"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { db } from "@/lib/db";
import { judge } from "@/lib/eligibility";
import { getCredentials, getPassport, PassportApiError } from "@/lib/passport-api";

const form = z.object({
  wallet: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  title: z.string().min(5),
  category: z.enum(["tooling", "community", "research"]),
});

export type ActionState = { error?: string; applicationId?: string };

export async function apply(_prev: ActionState, data: FormData): Promise<ActionState> {
  const parsed = form.safeParse(Object.fromEntries(data));
  if (!parsed.success) return { error: parsed.error.issues[0].message };
  const { wallet, title, category } = parsed.data;

  try {
    const passport = await getPassport(wallet);
    const credentials = await getCredentials(passport.passport_id);
    const verdict = judge(passport, credentials);
    if (!verdict.eligible) return { error: verdict.reasons.join(", ") };

    const github = passport.passport_socials.find((s) => s.source === "github");
    const row = await db.application.create({
      data: {
        wallet,
        title,
        category,
        points: verdict.points,
        applicant: passport.passport_profile.display_name,
        github: github?.profile_name,
      },
    });
    revalidatePath("/grants");
    return { applicationId: row.id };
  } catch (e) {
    if (e instanceof PassportApiError && e.status === 404) {
      return { error: "This wallet has no passport" };
    }
    console.error(e);
    return { error: "The passport service did not answer, please try again later" };
  }
}
