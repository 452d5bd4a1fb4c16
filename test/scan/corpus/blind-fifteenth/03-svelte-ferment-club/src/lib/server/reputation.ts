import ky, { HTTPError } from 'ky';
import { TALENT_TOKEN } from '$env/static/private';
import { env } from '$env/dynamic/private';
import * as v from 'valibot';

const api = ky.create({
	prefixUrl: env.TALENT_HOST || 'https://api.talentprotocol.com',
	headers: { 'x-api-key': TALENT_TOKEN },
	retry: { limit: 2, statusCodes: [429, 502, 503] },
	timeout: 8_000
});

const Member = v.object({
	passport_id: v.number(),
	score: v.nullable(v.number()),
	activity_score: v.optional(v.number(), 0),
	human_checkmark: v.boolean(),
	verified_wallets: v.array(v.string()),
	passport_profile: v.object({
		display_name: v.nullish(v.string()),
		location: v.nullish(v.string()),
		tags: v.optional(v.array(v.string()), [])
	}),
	passport_socials: v.array(
		v.object({
			source: v.string(),
			profile_image_url: v.nullish(v.string()),
			profile_url: v.nullish(v.string())
		})
	)
});

const Credential = v.object({
	type: v.string(),
	name: v.string(),
	value: v.nullable(v.string()),
	earned_at: v.nullable(v.string())
});

export type Member = v.InferOutput<typeof Member>;
export type Credential = v.InferOutput<typeof Credential>;

export async function fetchMember(wallet: string): Promise<Member | undefined> {
	try {
		const body = await api.get(`api/v1/passports/${wallet}`).json();
		return v.parse(v.object({ passport: Member }), body).passport;
	} catch (err) {
		if (err instanceof HTTPError && err.response.status === 404) return undefined;
		throw err;
	}
}

export async function fetchCredentials(passportId: number): Promise<Credential[]> {
	const body = await api
		.get('api/v1/passport_credentials', { searchParams: { passport_id: passportId } })
		.json();
	const parsed = v.safeParse(v.object({ passport_credentials: v.array(Credential) }), body);
	return parsed.success ? parsed.output.passport_credentials : [];
}
