export const markdownText = {
  image: 'Image',
  table: 'Table',
  done: 'Done',
  open: 'Open',
  copyCode: 'Copy this code',
}
