async function show(wallet) {
  const body = await (await fetch(`/api/builder/${wallet}`)).json();
  document.title = body.profile.display_name; // read: passport.passport_profile.display_name
}
