import Head from 'next/head'
import { useState } from 'react'
import SocialLinks from '../../components/SocialLinks'
import { fetchCredentials, fetchPassport } from '../../services/talentClient'
import { getWalker } from '../../services/walkers'
import { activeSince, toPaws } from '../../utils/trust'

export default function WalkerPage({ walker, passport, paws, since }) {
  const [trust, setTrust] = useState(paws)

  const refresh = async () => {
    const res = await fetch(`/api/walkers/${walker.slug}/refresh`, { method: 'POST' })
    if (res.ok) setTrust((await res.json()).trust)
  }

  return (
    <>
      <Head>
        <title>{`${walker.name} walks your dog`}</title>
      </Head>
      <h1>
        {walker.name} <span>{'🐾'.repeat(trust)}</span>
      </h1>
      <p>
        {walker.rating} stars, {walker.dogs_walked} dogs, {walker.price} USDC a walk
      </p>
      {passport && (
        <section>
          <h2>Onchain reputation: {passport.score}</h2>
          <p>{passport.passport_profile.bio}</p>
          {since && <p>Active since {since}</p>}
          <SocialLinks socials={passport.passport_socials} />
        </section>
      )}
      <button onClick={refresh}>Refresh</button>
    </>
  )
}

export async function getServerSideProps({ params }) {
  const walker = await getWalker(params.slug)
  try {
    const passport = await fetchPassport(walker.wallet)
    const credentials = await fetchCredentials(passport.passport_id)
    return {
      props: { walker, passport, paws: toPaws(passport, credentials), since: activeSince(credentials) },
    }
  } catch (e) {
    console.log('reputation unavailable', e.message)
    return { props: { walker, passport: null, paws: 0, since: null } }
  }
}
