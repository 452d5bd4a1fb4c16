export async function listAll() {
  const out: any[] = [];
  let page = 1;
  while (true) {
    const url = new URL("/api/v1/passports", process.env.BASE);
    url.searchParams.set("page", String(page));
    const r = await fetch(url); // call: passport-list
    const { passports, pagination } = await r.json(); // read: pagination
    out.push(...passports);
    if (pagination.current_page >= pagination.last_page) break; // read: pagination.current_page, pagination.last_page
    page++;
  }
  return out;
}
