import { usePassport } from "./ctx";
export const View = () => {
  const { passport } = usePassport();
  return <b>{passport.skills_score}</b>; // read: passport.skills_score
};
