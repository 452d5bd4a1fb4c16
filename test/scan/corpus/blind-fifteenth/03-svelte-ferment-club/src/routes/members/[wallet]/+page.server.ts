import { error } from '@sveltejs/kit';
import { startersOf } from '$lib/server/db';
import { fetchCredentials, fetchMember } from '$lib/server/reputation';
import { avatarOf, trustOf } from '$lib/trust';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ params, setHeaders }) => {
	const member = await fetchMember(params.wallet);
	if (!member) error(404, 'This person has no passport');

	const credentials = await fetchCredentials(member.passport_id);
	const jars = await Promise.all(member.verified_wallets.map(startersOf));

	setHeaders({ 'cache-control': 'private, max-age=120' });
	return {
		member,
		credentials: credentials.filter((c) => c.earned_at !== null),
		trust: trustOf(member, credentials),
		avatar: avatarOf(member),
		starters: jars.flat()
	};
};
