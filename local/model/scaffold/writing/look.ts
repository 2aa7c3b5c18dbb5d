import type { WantedList } from '../reading/lists.ts'
import { namesOf } from '../reading/names.ts'
import { sentenceCase, singular } from '../reading/words.ts'

const THEME_WORDS: [palette: string, icon: string, words: string][] = [
  ['forest', 'leaf', 'plant tree garden flower seed herb vegetable harvest'],
  ['forest', 'coin', 'expense budget payment money income spending salary donation tip saving'],
  ['forest', 'ball', 'football sticker player match team tournament league sport'],
  ['forest', 'flag', 'goal milestone hike tour'],
  ['teal', 'check', 'task todo chore job checklist item'],
  ['teal', 'pill', 'medicine pill patient treatment vaccine health'],
  ['teal', 'dumbbell', 'workout exercise training gym run fitness habit'],
  ['teal', 'home', 'house home property apartment flat tenant rental chore'],
  ['ocean', 'calendar', 'appointment event meeting booking reservation shift birthday holiday vacation'],
  ['ocean', 'plane', 'trip flight travel journey'],
  ['ocean', 'fish', 'fish aquarium catch'],
  ['ocean', 'drop', 'water drink swim'],
  ['ocean', 'people', 'contact customer client member employee student volunteer people person friend lead'],
  ['ocean', 'cap', 'course class lesson school homework grade exam teacher'],
  ['indigo', 'bulb', 'idea suggestion feedback request'],
  ['indigo', 'receipt', 'invoice receipt bill order quote subscription'],
  ['indigo', 'tool', 'repair tool bug issue ticket device machine asset maintenance'],
  ['indigo', 'bike', 'bike bicycle ride'],
  ['indigo', 'chart', 'measurement number statistic score'],
  ['indigo', 'music', 'song album record concert rehearsal instrument'],
  ['honey', 'box', 'stock inventory product part supply package box ingredient'],
  ['honey', 'key', 'key loan room locker'],
  ['honey', 'car', 'car vehicle truck fleet'],
  ['honey', 'paw', 'pet dog cat animal horse sheep cow'],
  ['honey', 'sun', 'weather temperature'],
  ['clay', 'plate', 'recipe meal restaurant lunch dinner dish menu'],
  ['clay', 'cup', 'coffee tea cafe bean'],
  ['clay', 'book', 'book reading library novel author'],
  ['clay', 'pen', 'note diary journal entry article poem'],
  ['clay', 'pin', 'place address location spot'],
  ['rose', 'cake', 'cake bakery bake cookie dessert'],
  ['rose', 'heart', 'wedding guest love signup rsvp'],
  ['rose', 'gift', 'gift wish present christmas'],
  ['rose', 'message', 'message guestbook comment greeting review question'],
  ['rose', 'shirt', 'clothing shirt dress shoe outfit'],
  ['plum', 'wine', 'wine beer whisky cocktail bottle'],
  ['plum', 'film', 'movie film series show'],
  ['plum', 'game', 'game boardgame puzzle'],
  ['plum', 'star', 'star rating mood dream'],
  ['plum', 'bed', 'sleep hotel bed'],
  ['plum', 'clock', 'time hour shift timesheet'],
  ['plum', 'camera', 'photo picture image video'],
]

const LOOK_OF_WORD = new Map(
  THEME_WORDS.toReversed().flatMap(([palette, icon, words]) =>
    words.split(' ').map((word) => [word, { palette, icon }] as const),
  ),
)
const PALETTE_NAMES = [...new Set(THEME_WORDS.map(([palette]) => palette))]

/**
 * Derives the name, the description, the palette and the icon of a new app from its first list, so that equal
 * lists give equal apps.
 */
export function appIdentityOf({ collection, title, fields }: WantedList) {
  const { many } = namesOf(collection)
  const shown = Object.keys(fields)
    .slice(0, 4)
    .map((name) => sentenceCase(name).toLowerCase())
  return { name: title, description: `${title}: ${shown.join(', ')}.`.slice(0, 160), look: chooseLook(many) }
}

/** Chooses the palette and icon of the last word that has them: for `team lunches`, those of `lunches`. */
function chooseLook(many: string): { palette: string; icon?: string } {
  const words = many.split(' ').map(singular)
  const known = words.findLast((word) => LOOK_OF_WORD.has(word))
  return (
    LOOK_OF_WORD.get(known ?? '') ?? {
      palette: PALETTE_NAMES[textHash(many) % PALETTE_NAMES.length] ?? 'indigo',
    }
  )
}

const textHash = (text: string) =>
  Array.from(text).reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973, 0)
