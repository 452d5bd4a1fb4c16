const $ = (selector) => document.querySelector(selector);

async function api(path) {
  const r = await fetch(`/api/v1/${path}`, { credentials: 'same-origin' });
  if (r.status === 401) location.assign('/login');
  return r.json();
}

async function showWard(ward, page = 1) {
  const { passports, pagination } = await api(`passports?ward=${encodeURIComponent(ward)}&page=${page}`);
  $('#ward').innerHTML = passports
    .map((p) => `<li data-id="${p.passport_id}">${p.display_name}: ${Number(p.score).toFixed(1)}</li>`)
    .join('');
  $('#pages').textContent = `${pagination.current_page} / ${pagination.last_page} (${pagination.total})`;
}

async function showNurse(id) {
  const { passport, credentials, ready } = await api(`passports/${id}`);
  $('#nurse').innerHTML = `
    <h2>${passport.display_name} <small>${passport.location}</small></h2>
    <p>Score ${passport.score}, last observed ${passport.last_calculated_at ?? 'never'}</p>
    <p>${ready ? 'May work alone' : 'Needs a mentor'}</p>
    <ul>${credentials.map((c) => `<li><a href="${c.url}">${c.name}</a> ${c.earned_at} ${c.score ?? ''}</li>`).join('')}</ul>`;
}

document.addEventListener('click', (event) => {
  const row = event.target.closest('[data-id]');
  if (row) showNurse(row.dataset.id);
});

$('#search').addEventListener('submit', (event) => {
  event.preventDefault();
  showWard(new FormData(event.target).get('ward'));
});
