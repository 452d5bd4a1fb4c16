import { useScore, useWhole } from "./hooks";
export const View = ({ id }) => {
  const { data } = useScore(id);
  const whole = useWhole(id);
  const bio = whole.data.passport.passport_profile.bio; // read: passport.passport_profile.bio
  return <p title={bio}>{data?.score}</p>; // read: passport.score
};
