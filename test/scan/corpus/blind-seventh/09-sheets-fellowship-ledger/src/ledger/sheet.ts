import { JWT } from 'google-auth-library'
import { GoogleSpreadsheet, type GoogleSpreadsheetWorksheet } from 'google-spreadsheet'
import type { LedgerRow } from './row.js'

export class LedgerSheet {
  private constructor(private readonly fellows: GoogleSpreadsheetWorksheet, private readonly out: GoogleSpreadsheetWorksheet) {}

  static async open(id: string) {
    const auth = new JWT({
      email: process.env.GOOGLE_EMAIL,
      key: process.env.GOOGLE_KEY?.replace(/\\n/g, '\n'),
      scopes: ['https://www.googleapis.com/auth/spreadsheets'],
    })
    const doc = new GoogleSpreadsheet(id, auth)
    await doc.loadInfo()
    return new LedgerSheet(doc.sheetsByTitle['Fellows'], doc.sheetsByTitle['Ledger'])
  }

  async people() {
    const rows = await this.fellows.getRows<{ name: string; wallet: string; score: string }>()
    return rows.map((r) => ({
      name: r.get('name'),
      wallet: r.get('wallet').trim(),
      lastScore: r.get('score') ? Number(r.get('score')) : undefined,
    }))
  }

  async replace(rows: LedgerRow[]) {
    await this.out.clearRows()
    await this.out.addRows(rows.map((r) => ({ ...r })))
  }
}
