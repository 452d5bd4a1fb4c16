export default {
  data() { return { passport: null }; },
  computed: { title() { return this.passport.passport_profile.display_name; } }, // read: passport.passport_profile.display_name
  methods: {
    async load(id) {
      const { data } = await this.$axios.get(`/api/v1/passports/${id}`); // call: passport
      this.passport = data.passport;
    },
  },
};
