import { DocumentDesk } from "./documents";

const desk = new DocumentDesk();

export async function admit(no: string, photo: Buffer): Promise<"open" | "officer"> {
  const [doc, scan] = await Promise.all([desk.byNumber(no), desk.scan(photo)]);
  if (!doc) return "officer";
  if (doc.passport_id !== scan.id) return "officer";
  if (scan.match < 80 || doc.score < 50) return "officer";

  const visas = await desk.visas(doc.passport_id);
  console.info(`${doc.display_name} from ${doc.issuing_state}: ${visas.length} visas`);
  return visas.length > 0 ? "open" : "officer";
}

export const label = (outcome: string) => (outcome === "open" ? "Welcome" : "Please wait for an officer");
