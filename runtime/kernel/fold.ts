/**
 * Normalizes a text for searching: lower case, and Latin letters without accents. The directory's search index does the same (`unicode61
 * remove_diacritics 2`), so filtering a list in the browser finds the same records as a search.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/(?<=\p{Script=Latin})[\u0300-\u036F]+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    // A typed beginning of a word may end with a final sigma where the whole word has a normal sigma.
    .replaceAll('ς', 'σ')
