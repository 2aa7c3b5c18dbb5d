import { utf8Length } from './fields.ts'

/** The longest name that a stored file may have. */
export const FILE_NAME_BYTES_MAX = 200

/**
 * Returns a name that the app stores: one line without slashes, shortened but with its ending, by which programs recognize the type. Never
 * cuts a character in half.
 */
export function storedFileName(given: string): string {
  const name = given
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/[/\\]/g, '_')
    .toWellFormed()
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? ''
  const characters = Array.from(name.slice(0, name.length - ending.length))
  while (utf8Length(characters.join('') + ending) > FILE_NAME_BYTES_MAX) characters.pop()
  return characters.join('') + ending
}
