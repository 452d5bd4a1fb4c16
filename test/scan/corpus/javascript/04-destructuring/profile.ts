import axios from "axios";

export async function loadCard(id: number) {
  const {
    data: {
      passport: {
        score = 0, // read: passport.score; hazard: fallback-default
        activity_score: activity, // read: passport.activity_score
        passport_profile: { display_name, tags = [], ...rest }, // read: passport.passport_profile.display_name, passport.passport_profile.tags[]; hazard: fallback-default
        passport_socials, // read: passport.passport_socials
      },
    },
  } = await axios.get(`https://api.example.com/api/v1/passports/${id}`); // call: passport
  const [first] = passport_socials;
  let followers = 0;
  for (const { follower_count, source } of passport_socials) { // read: passport.passport_socials[].follower_count, passport.passport_socials[].source
    if (source !== "lens") followers += follower_count; // hazard: string-number
  }
  return { score, activity, display_name, tags, followers, bio: rest.bio, picture: first?.profile_image_url }; // read: passport.passport_profile.bio, passport.passport_socials[].profile_image_url
}
