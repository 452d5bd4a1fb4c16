import type { Credential, Member } from './server/reputation';

const HUMAN_TYPES = new Set(['world_id', 'gitcoin', 'humanode']);

export type Trust = 'regular' | 'newcomer' | 'elder';

export function trustOf(member: Member, credentials: Credential[]): Trust {
	const human = member.human_checkmark || credentials.some((c) => HUMAN_TYPES.has(c.type) && c.value);
	const points = member.score ?? 0;
	if (human && points > 80) return 'elder';
	return human || member.activity_score > 20 ? 'regular' : 'newcomer';
}

export function avatarOf({ passport_socials: socials }: Pick<Member, 'passport_socials'>): string {
	for (const source of ['farcaster', 'lens', 'github']) {
		const hit = socials.find((s) => s.source === source && s.profile_image_url);
		if (hit) return hit.profile_image_url!;
	}
	return '/jar.svg';
}
