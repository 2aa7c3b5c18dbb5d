/**
 * Normalizes a text for searching: lower case, and Latin letters without accents. The directory's search index does the same (`unicode61
 * remove_diacritics 2`), so a list in the browser finds what a search finds.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/(?<=\p{Script=Latin})[\u0300-\u036F]+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    // The final sigma: the beginning of a word, typed as a search, ends with it where the whole word has a normal sigma.
    .replaceAll('ς', 'σ')
