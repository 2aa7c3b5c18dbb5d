import { EVERYONE_WORDS, withoutPhrase } from './access.ts'
import type { Field } from './fields.ts'
import { singular } from './words.ts'

/** The upload that a text requests: a field for the file, and the rest of the text. */
export interface UploadFieldRequest {
  field: string
  /** The clause with the request. It may name the list. */
  words: string
  rest: string
}

export const FILE_FIELD: Field = { type: 'file' }

const FILE_WORDS = '(?:photos?|pictures?|images?|pdfs?|files?|documents?|scans?|receipts?)'
const MAY_WORDS = '(?:(?:can|may|should|want\\s+to|need\\s+to)\\s+)(?:also\\s+)?'
const TARGET_WORDS =
  '(?:\\s+(?:of|for|to|with)\\s+(?:it|them|(?:each|every)(?:\\s+(?:one|(?!with\\b)[a-z]+))?|(?:an?|the|their|my|our)\\s+[a-z]+))?'
/** Matches `people can upload a photo of each plant`, `attach the receipt` or `everyone may add a picture`. */
const UPLOAD_PHRASE = new RegExp(
  `(?:[,;]\\s*)?(?:\\b(?:and|where|so|so\\s+that)\\s+)?(?:\\b(?:${EVERYONE_WORDS}|i|we|you|they)\\s+(?:${MAY_WORDS})?(?:upload|attach|add)|\\b(?:upload|attach))\\s+(?:(?:an?|one|the|their|his|her|some|my|our)\\s+)?(${FILE_WORDS})(?:\\s*(?:,|/|or|and)\\s*(?:an?\\s+)?${FILE_WORDS})*(?:\\s+files?)?${TARGET_WORDS}\\b`,
  'i',
)
const SEVERAL_KINDS = new RegExp(`${FILE_WORDS}\\s*(?:,|/|or|and)\\s*(?:an?\\s+)?${FILE_WORDS}`, 'i')
const UNWANTED_WORDS = /\b(?:don't|do\s+not|nobody|no\s+one|not|never|without|stop|remove|delete)\b/i

/** Returns the requested upload; null when there is none. Several kinds of files share one field. */
export function readUploadField(text: string): UploadFieldRequest | null {
  const [phrase, kind] = UPLOAD_PHRASE.exec(text) ?? []
  if (phrase === undefined || kind === undefined || UNWANTED_WORDS.test(text)) return null
  const field = SEVERAL_KINDS.test(phrase) ? 'file' : singular(kind.toLowerCase())
  return { field, words: phrase, rest: withoutPhrase(text.replace(phrase, ' ')) }
}
