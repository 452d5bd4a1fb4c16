import { computed, ref, toValue, watchEffect, type MaybeRefOrGetter } from 'vue'
import { fetchCredentials, fetchPassport, type Credential, type Passport } from '../api/backers'

const cache = new Map<string, Passport>()

export function useBacker(wallet: MaybeRefOrGetter<string>) {
  const passport = ref<Passport | null>(null)
  const credentials = ref<Credential[]>([])
  const loading = ref(false)

  watchEffect(async () => {
    const key = toValue(wallet).toLowerCase()
    loading.value = true
    try {
      passport.value = cache.get(key) ?? (await fetchPassport(key))
      cache.set(key, passport.value)
      credentials.value = await fetchCredentials(passport.value.passport_id).catch(() => [])
    } catch {
      passport.value = null
    } finally {
      loading.value = false
    }
  })

  const name = computed(() => passport.value?.passport_profile?.display_name || shorten(toValue(wallet)))

  const avatar = computed(
    () => passport.value?.passport_socials.find((s) => s.profile_image_url)?.profile_image_url,
  )

  const reach = computed(() =>
    (passport.value?.passport_socials ?? []).reduce((sum, s) => sum + Number(s.follower_count ?? 0), 0),
  )

  const trusted = computed(() => !!passport.value?.human_checkmark && passport.value.score >= 40)

  return { passport, credentials, loading, name, avatar, reach, trusted }
}

function shorten(w: string) {
  return `${w.slice(0, 6)}…${w.slice(-4)}`
}
