import Head from 'next/head';
import { formatDistanceToNow, parseISO } from 'date-fns';
import CredentialTable from '../../components/CredentialTable';
import SocialLinks from '../../components/SocialLinks';
import { tp } from '../../lib/tp';
import { getProgramme } from '../../lib/sessionize';

export async function getServerSideProps({ params }) {
  let body;
  try {
    body = await tp(`passports/${params.id}`);
  } catch (err) {
    if (err.status === 404) return { notFound: true };
    throw err;
  }

  const programme = await getProgramme(process.env.SESSIONIZE_EVENT);
  const wallets = (body.passport.verified_wallets || []).map((w) => w.toLowerCase());
  const booked = programme.find((s) => s.wallet && wallets.includes(s.wallet.toLowerCase())) ?? null;
  return { props: { passport: body.passport, booked } };
}

function Bars({ activity, identity, skills }) {
  return (
    <dl>
      <dt>Activity</dt>
      <dd><progress max="40" value={activity} /></dd>
      <dt>Identity</dt>
      <dd><progress max="48" value={identity} /></dd>
      <dt>Skills</dt>
      <dd><progress max="45" value={skills} /></dd>
    </dl>
  );
}

export default function Speaker({ passport, booked }) {
  const { display_name: name, bio, tags = [] } = passport.passport_profile ?? {};
  const when = passport.last_calculated_at && formatDistanceToNow(parseISO(passport.last_calculated_at));

  return (
    <article>
      <Head>
        <title>{`${name ?? 'Anonymous'} – speaker desk`}</title>
      </Head>
      <h1>
        {name} <sup>{passport.score}</sup>
      </h1>
      {passport.merged && <p className="warn">This passport was merged into another one.</p>}
      <p>{booked ? booked.bio : bio}</p>
      <p>{tags.map((t) => <span key={t} className="tag">{t}</span>)}</p>
      <Bars
        activity={passport.activity_score}
        identity={passport.identity_score}
        skills={passport.skills_score}
      />
      <p>{when ? `Calculated ${when} ago` : 'Never calculated'}</p>
      <SocialLinks socials={passport.passport_socials} />
      <CredentialTable passportId={passport.passport_id} />
      {booked && <ul>{booked.sessions.map((s) => <li key={s}>{s}</li>)}</ul>}
    </article>
  );
}
