export const draftText = {
  back: 'Your unsent text is back.',
  discard: 'Discard',
  discarded: 'Unsent text discarded',
  newer: (field: string) =>
    `“${field}” was saved with another value after you began to change it. Saving replaces this value:`,
  nothing: 'Nothing',
}
