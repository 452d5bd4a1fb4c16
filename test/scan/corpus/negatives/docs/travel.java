class Travel { String path = "/api/v1/passports/" + id + "/stamps"; int score = passport.getScore(); }
