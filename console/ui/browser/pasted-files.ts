/**
 * Returns the files of a paste. Returns none for text copied from a document: Word and Excel add a picture of the text, which would be
 * taken in place of the text. A picture copied from a page also comes with HTML, but without text.
 */
export function pastedFiles(clipboard: DataTransfer | null): File[] {
  if (clipboard === null) return []
  const isDocumentText =
    clipboard.types.includes('text/html') && clipboard.getData('text/plain').trim() !== ''
  return isDocumentText ? [] : [...clipboard.files]
}
