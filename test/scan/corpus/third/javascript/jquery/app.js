$(function () {
  var base = window.API_BASE || "https://api.example.com";
  $.getJSON(base + "/api/v1/passports", function (data) { // call: passport-list
    $.each(data.passports, function (i, p) {
      $("#list").append("<li>" + p.passport_profile.display_name + "</li>"); // read: passports[].passport_profile.display_name
    });
    $("#total").text(data.pagination.total); // read: pagination.total
  });

  $.ajax({ url: base + "/api/v1/passports/" + userId, dataType: "json" }) // call: passport
    .done(function (response) {
      $("#score").text(response.passport.score); // read: passport.score
    })
    .fail(function () { // hazard: catch-default
      $("#score").text(0);
    });
});
