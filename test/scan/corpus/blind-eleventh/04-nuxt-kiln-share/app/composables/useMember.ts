export function useMember(wallet: MaybeRefOrGetter<string>) {
  const { data, status, error } = useFetch(() => `/api/members/${toValue(wallet)}`, { key: `member-${toValue(wallet)}` })

  const passport = computed(() => data.value?.passport)
  const firings = computed(() => data.value?.firings ?? [])
  const reach = computed(() =>
    (passport.value?.passport_socials ?? []).reduce((n, s) => n + Number(s.follower_count ?? 0), 0),
  )
  const craft = computed(() => data.value?.credentials.filter((c) => c.category === 'Skills') ?? [])

  return { passport, firings, reach, craft, status, error }
}
