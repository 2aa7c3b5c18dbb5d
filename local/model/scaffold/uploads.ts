import { EVERYONE, withoutPhrase } from './access.ts'
import type { Field } from './fields.ts'
import { singular } from './words.ts'

/** The upload that a text requests: a field for the file, and the rest of the text. */
export interface UploadWish {
  field: string
  /** The clause with the request, which may name the list. */
  words: string
  rest: string
}

export const FILE: Field = { type: 'file' }

const KIND = '(?:photos?|pictures?|images?|pdfs?|files?|documents?|scans?|receipts?)'
const MAY = '(?:(?:can|may|should|want\\s+to|need\\s+to)\\s+)(?:also\\s+)?'
const PLACE =
  '(?:\\s+(?:of|for|to|with)\\s+(?:it|them|(?:each|every)(?:\\s+(?:one|(?!with\\b)[a-z]+))?|(?:an?|the|their|my|our)\\s+[a-z]+))?'
/** Matches `people can upload a photo of each plant`, `attach the receipt` or `everyone may add a picture`. */
const PHRASE = new RegExp(
  `(?:[,;]\\s*)?(?:\\b(?:and|where|so|so\\s+that)\\s+)?(?:\\b(?:${EVERYONE}|i|we|you|they)\\s+(?:${MAY})?(?:upload|attach|add)|\\b(?:upload|attach))\\s+(?:(?:an?|one|the|their|his|her|some|my|our)\\s+)?(${KIND})(?:\\s*(?:,|/|or|and)\\s*(?:an?\\s+)?${KIND})*(?:\\s+files?)?${PLACE}\\b`,
  'i',
)
const SEVERAL = new RegExp(`${KIND}\\s*(?:,|/|or|and)\\s*(?:an?\\s+)?${KIND}`, 'i')
const UNWANTED = /\b(?:don't|do\s+not|nobody|no\s+one|not|never|without|stop|remove|delete)\b/i

/** Returns the requested upload; null when there is none. Several kinds of files share one field. */
export function readUpload(text: string): UploadWish | null {
  const [phrase, kind] = PHRASE.exec(text) ?? []
  if (phrase === undefined || kind === undefined || UNWANTED.test(text)) return null
  const field = SEVERAL.test(phrase) ? 'file' : singular(kind.toLowerCase())
  return { field, words: phrase, rest: withoutPhrase(text.replace(phrase, ' ')) }
}
