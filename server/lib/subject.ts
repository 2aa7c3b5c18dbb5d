const SUBJECT_CHARS_MAX = 72
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** A shorter title says too little, like "Done!" or "1.". */
const SUBJECT_CHARS_MIN = 8
/**
 * Matches the end of a sentence: a word of at least three letters before the full stop. "Dr.", "no. 5" and "U.S." do
 * not end a sentence.
 */
const SENTENCE_END = /(^|[\s(])[\p{L}\p{N}'’"”)-]*\p{L}{3}['’"”)]*[.!?…]+['’"”)]*$/u

/**
 * Returns the first sentence in a text's first line. A sentence over 72 characters is cut after a word and gets an
 * ellipsis.
 */
export function subjectOf(text: string): string {
  const [line = ''] = text.trim().split('\n')
  let subject = ''
  for (const { segment } of sentenceSegmenter.segment(line)) {
    subject += segment
    if (subject.trim().length >= SUBJECT_CHARS_MIN && SENTENCE_END.test(subject.trim())) break
  }
  return shortenSubject(subject.trim())
}

/** Returns at most `charsMax` characters of well-formed text and does not split a surrogate pair, such as an emoji. */
export function truncate(text: string, charsMax: number): string {
  const head = text.slice(0, charsMax)
  return head.isWellFormed() ? head : head.slice(0, -1)
}

/** Returns at most 72 characters. A longer line is cut after a word and gets an ellipsis. */
export function shortenSubject(line: string): string {
  if (line.length <= SUBJECT_CHARS_MAX) return line
  // Cuts at the last space that leaves room for the ellipsis. A single long word is cut in the middle.
  const space = line.slice(0, SUBJECT_CHARS_MAX).lastIndexOf(' ')
  const cut = truncate(line, space < SUBJECT_CHARS_MIN ? SUBJECT_CHARS_MAX - 1 : space)
  return `${cut.trimEnd()}…`
}
