/** Converts a list of words to the alternatives of a pattern. */
const anyOf = (words: string): string => words.trim().split(/\s+/).join('|')

/** Common misspellings, corrected before a sentence is parsed. */
const MISSPELLINGS: Record<string, string> = {
  adress: 'address',
  adresses: 'addresses',
  allergys: 'allergies',
  ammount: 'amount',
  apointment: 'appointment',
  apointments: 'appointments',
  appointements: 'appointments',
  boooks: 'books',
  catagory: 'category',
  costumer: 'customer',
  costumers: 'customers',
  cutomers: 'customers',
  discription: 'description',
  emplyees: 'employees',
  excercise: 'exercise',
  excercises: 'exercises',
  expences: 'expenses',
  expenes: 'expenses',
  ingrediants: 'ingredients',
  invetory: 'inventory',
  inventry: 'inventory',
  lsit: 'list',
  phonenumber: 'phone number',
  quantaty: 'quantity',
  recepies: 'recipes',
  recieps: 'recipes',
  recipies: 'recipes',
  recipie: 'recipe',
  resturants: 'restaurants',
  telefone: 'phone',
  telephone: 'phone',
  tracl: 'track',
  trak: 'track',
  wana: 'wanna',
  whit: 'with',
  wich: 'which',
}

const MISSPELLED_WORD = new RegExp(String.raw`\b(?:${Object.keys(MISSPELLINGS).join('|')})\b`, 'gi')

export const correctSpelling = (text: string): string =>
  text.replaceAll(MISSPELLED_WORD, (word) => MISSPELLINGS[word.toLowerCase()] ?? word)

/**
 * Words for appearance, games, live data, accounts and infrastructure. An app of lists and forms cannot do
 * what they request.
 */
const BEYOND_WORDS = new RegExp(
  String.raw`\b(?:${anyOf(String.raw`
    ai chatbots? chatgpt gpt bots? chat chats messenger games? quiz(?:zes)? puzzles? tetris snake sudoku multiplayer
    weather forecasts? news stocks stock\s+(?:price|market)s? crypto bitcoin traffic gps maps? routes?
    translat\w+ calculat\w+ convert\w*
    timers? stopwatch countdown alarms? calendars? schedul\w+ timetable charts? graphs? dashboards? statistics
    reports? pdfs?
    websites? homepages? landing site sites portfolio blogs? webshop webshops shop store marketplace checkout cart
    logos? header headers footer footers banner banners buttons? menu fonts? backgrounds? colou?r\w* themes?
    dark\s+mode layout\w* design\w*
    redesign animat\w+ icons? styl\w+ css pink prettier nicer bigger smaller faster look looks feel responsive
    sounds? music videos? photos? pictures? images?
    gallery uploads? attachments? login logins log\s+in sign\s+in sign-in passwords? accounts? roles?
    permissions? payments?\s+online paypal stripe
    gets?\s+an?\s+e-?mails? sign\s+up sends? sending notif\w+ remind\w* reminders? newsletters? sms whatsapp
    slack google excel outlook integrat\w+ sync\w* import\w* export\w* print\w*
    search\w* filter\w* sort\w* barcodes? qr scan\w* api apis automat\w+ generat\w+ summari\w+ recommend\w*
    suggest\w* predict\w* best(?!\s+before) nearest drag drop files?
    download\w* share\w* tinder uber instagram facebook spotify netflix youtube airbnb amazon 3d vr`)})\b`,
  'i',
)

/** Things that are useful only when they update automatically. */
const LIVE_WORDS =
  /\b(?:weather|news|bitcoin|crypto|stock price|gps|my location|cloud|audio|voice|traffic|automatically)\b/i

export const needsLiveData = (text: string): boolean => LIVE_WORDS.test(text)

/**
 * Returns the first word of the text that requests more than lists and forms, as listed in `BEYOND_WORDS`;
 * null when the text contains no such word.
 */
export const unsupportedWordIn = (text: string): string | null =>
  BEYOND_WORDS.exec(text)?.[0].toLowerCase() ?? null

const ADJECTIVE_WORDS = new Set(
  anyOf(`pink red blue green yellow orange purple black white grey gray brown dark light bright colorful colourful
    nice pretty cool clean modern simple easy fast quick slow big bigger small smaller large new old good better best
    great free open closed private public safe secure cheap ready happy sad short long fit healthy tidy busy calm
    up down informed updated alive visible available beautiful fancy shiny professional responsive awesome
    amazing more
    less right wrong same other round square soft loud quiet smart`).split('|'),
)
/** Endings of adjectives and participles. `NOUNS_LIKE_ADJECTIVES` are the nouns that end in the same way. */
const ADJECTIVE_END = /(?:ful|ous|less|ible|able|ish|ed|ly|ive|est)$/
const NOUNS_LIKE_ADJECTIVES = new Set(
  anyOf(`bed seed feed shed weed vegetable table cable fly reply supply family assembly butterfly olive archive quest
    request chest forest harvest contest dish fish wish radish interest dive hive drive speed`).split('|'),
)

export const isAdjective = (word: string): boolean =>
  ADJECTIVE_WORDS.has(word) || (ADJECTIVE_END.test(word) && !NOUNS_LIKE_ADJECTIVES.has(word))

export const GENERIC_WORDS = new Set(
  anyOf(`something anything nothing everything everyone someone it this that them these those sure one ones me us you
    app apps application website site page pages thing things stuff software program system tool data info information
    list lists track record records collection database overview log way place people's kind sort lot bit some
    all life contents
    table sheet spreadsheet form diary journal register inventory catalog directory column columns field fields
    eye note business company shop fun progress top best how what`).split('|'),
)

/** Matches a word that does not indicate an app's subject. When a request has only such words, the model asks what the app is about. */
const VAGUE_SENTENCE = new RegExp(
  String.raw`^(?:${anyOf(`make build create do give show want need like love help start test hello hi hey me my us our a an the
    some something anything thing things stuff nice cool great good useful simple new small little app apps
    application
    tool program list lists form forms database table track of keep get organi[sz]ed? organi[sz]er manager for to
    with in on it please and work home i we would you can could so that is be have all everything everyone company
    business shop personal own easy`)})$`,
  'i',
)

/** Returns whether a text names no subject: `Make me something nice`. */
export const isVague = (text: string): boolean => {
  const words = text.match(/[\p{L}\p{N}'-]+/gu) ?? []
  return words.every((word) => VAGUE_SENTENCE.test(word))
}

/** Nouns for the users of an app. `for my clients` says who uses the app and does not request a list of clients. */
export const PEOPLE_WORDS = new Set(
  anyOf(`team customer client student employee member guest visitor patient friend person people kid child volunteer
    player company user family wife husband`).split('|'),
)

const FIELD_WORDS = new Set(
  anyOf(`name title author date day time price cost amount total quantity count number phone mobile email mail address city
    street country zip postcode website url link notes note comment comments description details kind type
    category genre
    status state stage priority severity rating score stars review colour color size weight height width length
    age year
    month birthday birthdate deadline due start end room place location shelf floor seat seats desk table
    customer client
    person people owner borrower friend contact supplier vendor teacher student guest company brand model make maker
    serial role position department team project task item items product cake flavour flavor allergy allergies diet
    ingredients instructions steps servings minutes hours duration distance reps sets exercise mood goal calories
    paid done sold read sent active available approved coming returned delivered pickup delivery budget
    currency stock unit units material language publisher isbn artist album label director platform players species
    breed kennel chip vet vaccine light water fertilizer soil pot reason source answer question result message body
    summary reference plate mileage insurance license licence skills salary nickname surname condition
    shop store thing book dish song meeting event driver discount percent deposit fee tip nickname vip
    translation learned
    photo picture image
    warranty frequency dose dosage medication doctor symptom symptoms occasion recipient grape vintage region producer`).split(
    '|',
  ),
)

/** Returns whether a word is common in names of fields. */
export const isFieldWord = (word: string): boolean => FIELD_WORDS.has(word)
