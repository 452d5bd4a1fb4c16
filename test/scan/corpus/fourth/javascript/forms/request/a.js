const request = require("request");
request({ url: "https://rep.example.org/api/v1/passports/3", json: true }, function (error, response, body) { // call: passport
  if (error) throw error;
  console.log(body.passport.score); // read: passport.score
});
