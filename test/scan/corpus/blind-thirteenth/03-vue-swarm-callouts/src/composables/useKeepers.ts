import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import { refDebounced } from '@vueuse/core'
import { fetchKeepers, type Keeper } from '@/api/keepers'

export function useKeepers(keyword: Ref<string>) {
  const term = refDebounced(keyword, 300)
  const keepers = shallowRef<Keeper[]>([])
  const total = ref(0)
  const failed = ref(false)
  const onlyHumans = ref(true)

  watch(
    term,
    async (value, _old, onCleanup) => {
      const controller = new AbortController()
      onCleanup(() => controller.abort())
      failed.value = false
      try {
        const page = await fetchKeepers(value, controller.signal)
        keepers.value = page.keepers
        total.value = page.total
      } catch {
        failed.value = !controller.signal.aborted
      }
    },
    { immediate: true },
  )

  const visible = computed(() =>
    keepers.value
      .filter((k) => !onlyHumans.value || k.human_checkmark)
      .sort((a, b) => b.skills_score - a.skills_score),
  )

  return { visible, total, failed, onlyHumans }
}
