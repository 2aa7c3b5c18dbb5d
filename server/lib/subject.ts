const CHARS_MAX = 72
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Returns the first sentence of the first line of a text. One over 72 characters ends at a word, with an ellipsis. */
export function subjectOf(text: string): string {
  const [line = ''] = text.trim().split('\n')
  const [first] = sentences.segment(line)
  return shortened(first?.segment.trim() ?? '')
}

/** Returns a line of at most 72 characters; a longer one ends at a word, with an ellipsis. */
export function shortened(line: string): string {
  if (line.length <= CHARS_MAX) return line
  // Up to the last space that leaves room for the ellipsis; a single long word is cut.
  const cut = line.slice(0, CHARS_MAX).lastIndexOf(' ')
  return `${line.slice(0, cut > 0 ? cut : CHARS_MAX - 1).trimEnd()}…`
}
