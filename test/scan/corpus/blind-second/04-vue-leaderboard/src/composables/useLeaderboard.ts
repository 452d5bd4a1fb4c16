import { computed, ref } from 'vue'
import { talent } from '../api'

export function useLeaderboard(maxPages = 3) {
  const rows = ref<any[]>([])
  const loading = ref(false)
  const failed = ref(false)
  const total = ref(0)

  async function load(keyword?: string) {
    loading.value = true
    failed.value = false
    rows.value = []
    try {
      let page = 1
      let lastPage = 1
      do {
        const result = await talent.listPassports(page, keyword)
        rows.value.push(...result.passports)
        total.value = result.pagination.total
        lastPage = result.pagination.last_page
        page++
      } while (page <= lastPage && page <= maxPages)
    } catch {
      failed.value = true
    } finally {
      loading.value = false
    }
  }

  const humans = computed(() => rows.value.filter((row) => row.human_checkmark))
  const average = computed(() =>
    rows.value.length ? rows.value.reduce((sum, row) => sum + (row.score ?? 0), 0) / rows.value.length : 0,
  )

  return { rows, humans, average, total, loading, failed, load }
}
