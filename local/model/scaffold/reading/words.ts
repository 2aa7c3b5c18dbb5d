const IRREGULAR_PLURALS: Record<string, string> = {
  person: 'people',
  child: 'children',
  man: 'men',
  woman: 'women',
  foot: 'feet',
  mouse: 'mice',
  goose: 'geese',
  series: 'series',
  equipment: 'equipment',
  staff: 'staff',
  feedback: 'feedback',
  furniture: 'furniture',
  movie: 'movies',
  cookie: 'cookies',
  calorie: 'calories',
  pie: 'pies',
  selfie: 'selfies',
  hoodie: 'hoodies',
  smoothie: 'smoothies',
  clothing: 'clothing',
  homework: 'homework',
  income: 'income',
  laundry: 'laundry',
  mileage: 'mileage',
  spending: 'spending',
  sleep: 'sleep',
  time: 'time',
  water: 'water',
  leaf: 'leaves',
  shelf: 'shelves',
  knife: 'knives',
  life: 'lives',
}

// A Map: an object would have an entry for the noun `constructor`.
const PLURAL_OF_NOUN = new Map(Object.entries(IRREGULAR_PLURALS))

/** Forms the plural by rules of English. A noun that looks plural is returned unchanged. */
export function plural(noun: string): string {
  const known = PLURAL_OF_NOUN.get(noun)
  if (known !== undefined) return known
  if (Object.values(IRREGULAR_PLURALS).includes(noun) || singular(noun) !== noun) return noun
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  if (/(s|x|z|ch|sh)$/.test(noun)) return `${noun}es`
  return `${noun}s`
}

/** Forms the singular by rules of English. */
export function singular(noun: string): string {
  const irregular = Object.entries(IRREGULAR_PLURALS).find(([, many]) => many === noun)
  if (irregular !== undefined) return irregular[0]
  if (noun.endsWith('ies') && noun.length > 4) return `${noun.slice(0, -3)}y`
  if (/(ss|x|z|ch|sh|us)es$/.test(noun)) return noun.slice(0, -2)
  if (/(ss|us|is|news)$/.test(noun) || !noun.endsWith('s')) return noun
  return noun.slice(0, -1)
}

export const isPlural = (noun: string): boolean => singular(noun) !== noun && plural(singular(noun)) === noun

/** Converts a phrase to an identifier: `last watered date` becomes `lastWateredDate`. Returns an empty string when no letter remains. */
export function camelCase(phrase: string): string {
  const words = phrase
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f']/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  const text = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : capitalize(word.toLowerCase())))
    .join('')
  return text.replace(/^\d+(.?)/, (_digits, letter: string) => letter.toLowerCase()).slice(0, 40)
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Converts an identifier to words: `lastWateredDate` becomes `Last watered date`. */
export const sentenceCase = (identifier: string): string =>
  capitalize(identifier.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`))
