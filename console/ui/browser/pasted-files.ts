/**
 * Returns the files of a paste. None for text that was copied from a document: Word and Excel add a picture of the text, which would be
 * taken in its place. A picture that was copied from a page comes with HTML, too, but without text.
 */
export function pastedFiles(clipboard: DataTransfer | null): File[] {
  if (clipboard === null) return []
  const isDocumentText =
    clipboard.types.includes('text/html') && clipboard.getData('text/plain').trim() !== ''
  return isDocumentText ? [] : [...clipboard.files]
}
