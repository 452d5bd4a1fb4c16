// The names by which code that uses V1 is recognized. They are a judgement about other people's code, not a part of
// V1's document.

/** Field names that hardly any API but V1 has: code that reads one of them reads a response of V1. */
export const tellingNames: ReadonlySet<string> = new Set([
  "activity_score",
  "identity_score",
  "skills_score",
  "calculating_score",
  "connections_count",
  "human_checkmark",
  "main_wallet",
  "verified_wallets",
  "passport_profile",
  "passport_socials",
  "passport_credentials",
]);

/** Names that V1 shares with few others: a sign only in a file that is V1's for another reason. */
export const distinctiveNames: ReadonlySet<string> = new Set([
  ...tellingNames,
  "passport_id",
  "last_calculated_at",
  "follower_count",
  "following_count",
  "earned_at",
  "max_score",
  "profile_bio",
  "profile_display_name",
  "profile_image_url",
  "profile_name",
]);

/** Texts that hold a number, always or at times: arithmetic mistakes them for one. */
export const numbersAsText: ReadonlySet<string> = new Set(["follower_count", "following_count", "value"]);

/** How an id is written out in an address: a whole number, a wallet, or a name of one. */
export const writtenId = /^(?:\d+|0x[0-9a-f]+|[\w.-]+\.eth)$/i;

/** The id of a record, an integer in V1, which no successor promises. */
export const integerIds: ReadonlySet<string> = new Set(["passport_id"]);
