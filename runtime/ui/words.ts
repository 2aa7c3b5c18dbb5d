import { type CollectionSpec, labelField } from '../kernel/manifest.ts'

/** Returns a readable enum value: `in_progress` becomes "In progress". */
export function enumLabel(value: string): string {
  const words = value.replaceAll(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function recordName(record: { [field: string]: unknown }, collection: CollectionSpec): string {
  const value = record[labelField(collection) ?? '']
  return typeof value === 'string' && value.trim() !== '' ? value : 'Untitled'
}

/** Names the loaded records of a list that has more: "the newest 200". */
export const partName = (count: number, sort = '-createdAt'): string =>
  `the ${sort === '-createdAt' ? 'newest' : 'first'} ${count}`

/** Says how many records of a list are loaded that has more: "The newest 200". */
export const partText = (count: number, sort?: string): string => partName(count, sort).replace('t', 'T')
