import { getFrameMetadata } from '@coinbase/onchainkit/frame'
import type { Metadata } from 'next'
import { SITE } from './config'

const frameMetadata = getFrameMetadata({
  buttons: [
    { label: 'Am I a mentor?' },
    { action: 'link', label: 'What is this?', target: `${SITE}/about` },
  ],
  image: { src: `${SITE}/cover.png`, aspectRatio: '1.91:1' },
  postUrl: `${SITE}/api/frame`,
})

export const metadata: Metadata = {
  title: 'Mentor match',
  description: 'Find out whether you should teach or learn this season.',
  openGraph: { title: 'Mentor match', images: [`${SITE}/cover.png`] },
  other: { ...frameMetadata },
}

export default function Page() {
  return (
    <main>
      <h1>Mentor match</h1>
      <p>Open this page in a Farcaster client.</p>
    </main>
  )
}
