export const draftText = {
  newer: (field: string) =>
    `“${field}” was saved with another value after you began to change it. Saving replaces this value:`,
  nothing: 'Nothing',
}
