// We used to call fetch("/api/v1/passports/1") here and read passport.score || 0.
/* https://api.example.com/api/v1/passport_credentials */
export const answer = 42;
