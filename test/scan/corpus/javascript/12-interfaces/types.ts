export interface PassportProfile {
  bio: string;
  display_name: string;
  location: string;
}

export interface Passport {
  passport_id: number; // hazard: integer-id
  score: number;
  human_checkmark: boolean;
  passport_profile: PassportProfile;
}
