import { type CollectionSpec, labelField } from '../kernel/manifest.ts'

/** Returns a readable enum value: `in_progress` becomes "In progress". */
export function choiceOf(value: string): string {
  const words = value.replaceAll(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function recordName(record: { [field: string]: unknown }, collection: CollectionSpec): string {
  const value = record[labelField(collection) ?? '']
  return typeof value === 'string' && value.trim() !== '' ? value : 'Untitled'
}

/** Says how many records of a list are shown that has more. */
export const partText = (count: number, sort = '-createdAt'): string =>
  `The ${sort === '-createdAt' ? 'newest' : 'first'} ${count}`
