$.getJSON("https://rep.example.org/api/v1/passports", { keyword: "x" }, function (body) { // call: passport-list
  $.each(body.passports, function (i, p) {
    $("#list").append("<li>" + p.passport_profile.display_name + "</li>"); // read: passports[].passport_profile.display_name
  });
});
$.ajax({ // call: passport-credentials
  url: "/api/v1/passport_credentials",
  success: function (body) { render(body.passport_credentials); },
});
function render(list) {
  list.forEach(function (c) { console.log(c.type, c.earned_at); }); // read: passport_credentials[].type, passport_credentials[].earned_at
}
$.get("/api/v1/passports/" + 7).done(function (d) { alert(d.passport.main_wallet); }); // call: passport; read: passport.main_wallet
