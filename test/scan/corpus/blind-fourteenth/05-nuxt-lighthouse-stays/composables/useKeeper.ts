import type { Passport, Social } from '~~/shared/types/passport'

export const useKeeper = (wallet: MaybeRefOrGetter<string>) => {
  const { data, error, status } = useFetch(() => `/api/keepers/${toValue(wallet)}`)

  const passport = computed(() => data.value?.passport as Passport | undefined)
  const badges = computed(() => data.value?.badges ?? [])

  const name = computed(() => passport.value?.passport_profile.display_name || 'Anonymous keeper')
  const avatar = computed(
    () => passport.value?.passport_socials.find((s) => s.profile_image_url)?.profile_image_url,
  )
  const reach = computed(() =>
    (passport.value?.passport_socials ?? []).reduce((sum: number, s: Social) => sum + Number(s.follower_count ?? 0), 0),
  )

  return { passport, badges, name, avatar, reach, error, status }
}
