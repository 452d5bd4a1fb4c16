function load(id, cb) {
  var xhr = new XMLHttpRequest();
  xhr.open("GET", "https://rep.example.org/api/v1/passports/" + id); // call: passport
  xhr.onload = function () {
    var body = JSON.parse(xhr.responseText);
    cb(null, body.passport.score); // read: passport.score
  };
  xhr.send();
}
load(1, function (e, s) { console.log(s); });
