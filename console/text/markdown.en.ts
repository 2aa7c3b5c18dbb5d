/** What is said about text that models and people wrote in Markdown. */
export const markdownText = {
  image: 'Image',
  table: 'Table',
  done: 'Done',
  open: 'Open',
  copyCode: 'Copy this code',
}
