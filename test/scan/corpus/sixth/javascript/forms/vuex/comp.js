import axios from "axios";
export default {
  data() { return { passport: null, creds: [] }; },
  computed: {
    profile() { return this.passport.passport_profile; }, // read: passport.passport_profile
    names() { return this.profile.display_name; }, // read: passport.passport_profile.display_name
  },
  methods: {
    load(id) {
      axios.get(`/api/v1/passports/${id}`).then((r) => { this.passport = r.data.passport; }); // call: passport
    },
    print() { return this.profile.bio; }, // read: passport.passport_profile.bio
  },
  created() { return this.$store.state.passport.score + this.$store.getters.score; }, // read: passport.score
  mounted() { return this.profile.location; }, // read: passport.passport_profile.location
};
