/**
 * The form in which names and texts are searched: NFKC and lower case, computed here and stored beside the
 * original, so that search answers alike on every server locale.
 */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A `like` pattern that finds `text` anywhere and takes `%`, `_` and `\` literally. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
