import { useQuery } from '@tanstack/vue-query'
import { computed, toValue, type MaybeRefOrGetter } from 'vue'
import { getArtist, listPanels } from '@/api/artists'

export function useArtist(id: MaybeRefOrGetter<string>) {
  const artistQuery = useQuery({
    queryKey: computed(() => ['artist', toValue(id)]),
    queryFn: () => getArtist(toValue(id)),
    staleTime: 5 * 60_000,
  })

  const wallet = computed(() => artistQuery.data.value?.mainWallet)

  const panelsQuery = useQuery({
    queryKey: computed(() => ['panels', wallet.value]),
    queryFn: () => listPanels(wallet.value!),
    enabled: computed(() => !!wallet.value),
  })

  const reach = computed(() =>
    (artistQuery.data.value?.passportSocials ?? []).reduce((sum, s) => sum + Number(s.followerCount || 0), 0),
  )

  return { artist: artistQuery.data, isError: artistQuery.isError, panels: panelsQuery.data, reach }
}
