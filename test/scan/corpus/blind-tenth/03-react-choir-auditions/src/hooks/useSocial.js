import { useMemo } from 'react'
import { useSingers } from '../context/SingersContext'

export function useSocial(network) {
  const { selected } = useSingers()
  return useMemo(() => {
    const social = selected?.passport_socials?.find((s) => s.source === network)
    if (!social) return null
    return {
      handle: social.profile_name,
      avatar: social.profile_image_url,
      reach: parseInt(social.follower_count, 10) || 0,
      bio: social.profile_bio,
    }
  }, [selected, network])
}
