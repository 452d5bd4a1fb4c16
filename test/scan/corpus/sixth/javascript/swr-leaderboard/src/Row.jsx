import PropTypes from 'prop-types';
import { shorten } from './api';

function Row({ passport, rank }) {
  const profile = passport.passport_profile || {}; // read: passports[].passport_profile; hazard: fallback-default
  return (
    <tr>
      <td>{rank}</td>
      <td title={profile.bio}>{profile.display_name || shorten(passport.main_wallet)}</td> {/* read: passports[].passport_profile.bio, passports[].passport_profile.display_name, passports[].main_wallet */}
      <td>{(profile.tags || []).join(', ')}</td> {/* read: passports[].passport_profile.tags[]; hazard: fallback-default */}
      <td>{passport.calculating_score ? '…' : passport.score}</td> {/* read: passports[].calculating_score, passports[].score */}
      <td>
        {passport.activity_score} / {passport.identity_score} / {passport.skills_score} {/* read: passports[].activity_score, passports[].identity_score, passports[].skills_score */}
      </td>
    </tr>
  );
}

Row.propTypes = {
  rank: PropTypes.number.isRequired,
  passport: PropTypes.shape({
    score: PropTypes.number,
    main_wallet: PropTypes.string,
  }).isRequired,
};

export default Row;
