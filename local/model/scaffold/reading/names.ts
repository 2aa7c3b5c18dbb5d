import { capitalize, sentenceCase, singular } from './words.ts'

export interface ListNames {
  collection: string
  /** In the singular: `office plant`. */
  one: string
  /** In the plural: `office plants`. */
  many: string
  /** The name of the component and its file: `OfficePlants`. */
  component: string
  path: string
}

/** Returns the names that the app gives a list: of its records, its page and its path. */
export function namesOf(collection: string): ListNames {
  const many = sentenceCase(collection).toLowerCase()
  const path = many.replaceAll(' ', '-')
  return {
    collection,
    one: sentenceCase(singularIdentifier(collection)).toLowerCase(),
    many,
    component: capitalize(collection),
    // Paths that begin with /api belong to the server.
    path: path.startsWith('api') ? `/the-${path}` : `/${path}`,
  }
}

/** Returns the singular of an identifier: `officePlants` becomes `officePlant`. */
function singularIdentifier(identifier: string): string {
  const at = identifier.search(/[A-Z][a-z0-9]*$/)
  if (at <= 0) return singular(identifier)
  return identifier.slice(0, at) + capitalize(singular(identifier.slice(at).toLowerCase()))
}

/** Returns `a` or `an`, as the noun needs it. */
export const article = (noun: string) => (/^[aeiou]/.test(noun) ? 'an' : 'a')
