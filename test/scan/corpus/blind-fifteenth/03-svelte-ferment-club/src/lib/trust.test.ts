import { describe, expect, it } from 'vitest';
import { avatarOf, trustOf } from './trust';

const member = {
	passport_id: 77,
	score: 91,
	activity_score: 12,
	human_checkmark: true,
	verified_wallets: [],
	passport_profile: { tags: [] },
	passport_socials: [{ source: 'lens', profile_image_url: 'https://img.example/a.png' }]
};

describe('trustOf', () => {
	it('makes elders of humans with many points', () => expect(trustOf(member, [])).toBe('elder'));
	it('starts people as newcomers', () =>
		expect(trustOf({ ...member, human_checkmark: false, score: null }, [])).toBe('newcomer'));
});

it('prefers a social picture', () => expect(avatarOf(member)).toMatch(/a\.png$/));
