/**
 * Returns the form of a text that search compares: NFKC and lower case. This form is stored beside the original, so
 * that search does not depend on the database's locale.
 */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Returns a `like` pattern that finds `text` anywhere and matches `%`, `_` and `\` literally. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
