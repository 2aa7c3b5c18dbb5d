/**
 * Returns a text as searches compare it: small letters, and Latin ones without accents. The index of the directory does
 * the same (`unicode61 remove_diacritics 2`), so that a list in the browser finds what a search finds.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/(?<=\p{Script=Latin})[\u0300-\u036F]+/gu, '')
    .normalize('NFC')
    .toLowerCase()
