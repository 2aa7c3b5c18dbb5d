const CHARS_MAX = 72
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** A title that is shorter says nothing, like "Done!" or "1.". */
const CHARS_MIN = 8
/** Ends in a word of at least three letters without a full stop in it: "Dr.", "no. 5" and "U.S." do not end a sentence. */
const ENDS = /(^|[\s(])[\p{L}\p{N}'’"”)-]*\p{L}{3}['’"”)]*[.!?…]+['’"”)]*$/u

/** Returns the first sentence of the first line of a text. One over 72 characters ends at a word, with an ellipsis. */
export function subjectOf(text: string): string {
  const [line = ''] = text.trim().split('\n')
  let subject = ''
  for (const { segment } of sentences.segment(line)) {
    subject += segment
    if (subject.trim().length >= CHARS_MIN && ENDS.test(subject.trim())) break
  }
  return shortened(subject.trim())
}

/** Returns a line of at most 72 characters; a longer one ends at a word, with an ellipsis. */
export function shortened(line: string): string {
  if (line.length <= CHARS_MAX) return line
  // Up to the last space that leaves room for the ellipsis; a single long word is cut, but no character of two halves.
  const space = line.slice(0, CHARS_MAX).lastIndexOf(' ')
  const cut = line.slice(0, space < CHARS_MIN ? CHARS_MAX - 1 : space)
  return `${cut.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`
}
