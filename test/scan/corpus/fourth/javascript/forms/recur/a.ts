async function walk(page = 1, acc: any[] = []): Promise<any[]> {
  const r = await fetch(`https://rep.example.org/api/v1/passports?page=${page}`); // call: passport-list
  const { passports, pagination } = await r.json(); // read: pagination
  const all = acc.concat(passports);
  return pagination.current_page < pagination.last_page ? walk(page + 1, all) : all; // read: pagination.current_page, pagination.last_page
}
walk().then((all) => {
  const top = all.slice(0, 3).map((p) => p.score); // read: passports[].score
  console.log(top, all.length);
});
