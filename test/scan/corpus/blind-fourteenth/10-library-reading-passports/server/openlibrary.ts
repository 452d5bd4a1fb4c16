export async function lookupBook(isbn: string) {
  const res = await fetch(`https://openlibrary.org/isbn/${isbn}.json`)
  if (!res.ok) return { pages: 0, category: 'Adventure' as const }
  const book = await res.json()
  const subjects: string[] = book.subjects ?? []
  return {
    pages: book.number_of_pages ?? 0,
    category: subjects.includes('Poetry') ? ('Poetry' as const) : ('Adventure' as const),
  }
}
