import { Readable, Transform, pipeline } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { parse } from "json2csv";
import ExcelJS from "exceljs";
async function* pages() {
  let next: number | null = 1;
  while (next) {
    const b: any = await fetch(`${process.env.REP}/api/v1/passports?page=${next}`).then((r) => r.json()); // call: passport-list
    for (const p of b.passports) yield p;
    next = b.pagination.current_page < b.pagination.last_page ? next + 1 : null; // read: pagination.current_page, pagination.last_page
  }
}
const rows: any[] = [];
for await (const p of pages()) rows.push(p);
const csv = stringify(rows, {
  columns: [
    { key: "passport_id", header: "ID" }, // read: passports[].passport_id
    { key: "passport_profile.display_name", header: "Name" }, // read: passports[].passport_profile.display_name
  ],
});
const csv2 = parse(rows, { fields: ["score", { label: "W", value: "main_wallet" }] }); // read: passports[].score, passports[].main_wallet
const sheet = new ExcelJS.Workbook().addWorksheet("x");
sheet.columns = [];
sheet.addRows(rows);
Readable.from(pages()).map((p) => p.identity_score).pipe(process.stdout); // read: passports[].identity_score
const t = new Transform({ objectMode: true, transform(p, _, cb) { cb(null, p.skills_score + "\n"); } }); // read: passports[].skills_score
