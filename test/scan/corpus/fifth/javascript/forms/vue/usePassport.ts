import { ref, computed, watch, onMounted, reactive, toRefs } from "vue";
import { useFetch } from "#app";
export function usePassport(id: string) {
  const passport = ref<any>(null);
  const error = ref<Error | null>(null);
  const state = reactive({ list: [] as any[], page: 1 });
  onMounted(async () => {
    try {
      const r = await fetch(`/api/v1/passports/${id}`); // call: passport
      passport.value = (await r.json()).passport;
    } catch (e) { error.value = e as Error; }
  });
  const name = computed(() => passport.value?.passport_profile?.display_name ?? "…"); // read: passport.passport_profile.display_name
  async function more() {
    const r = await fetch(`/api/v1/passports?page=${state.page}`); // call: passport-list
    const b = await r.json();
    state.list.push(...b.passports);
  }
  watch(passport, (p) => console.log(p.score)); // read: passport.score
  return { passport, name, error, ...toRefs(state), more };
}
