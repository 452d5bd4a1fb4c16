const passports = [
  {
    passport_id: 1,
    score: 88,
    main_wallet: "0xabc",
    passport_profile: { display_name: "Ada", bio: "maths", location: "London", tags: [] },
  },
  {
    passport_id: 2,
    score: 61,
    main_wallet: "0xdef",
    passport_profile: { display_name: "Linus", bio: "kernels", location: "Portland", tags: [] },
  },
];

const average = passports.reduce((n, p) => n + p.score, 0) / passports.length;

module.exports = { passports, average };
