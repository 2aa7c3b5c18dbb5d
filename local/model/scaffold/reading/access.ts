import { hasPlainField, type ScaffoldFields } from './fields.ts'

/**
 * Who may read and write a list. `open`: anyone. `readers`: anyone reads, people who are signed in write. `members`: only people who are
 * signed in. `authors`: people who are signed in read everything and change what they added. `own`: each person has separate records.
 * `team`: each team has separate records. `staff`: anyone reads, staff write.
 */
export type AccessLevel = 'open' | 'readers' | 'members' | 'authors' | 'own' | 'team' | 'staff'

export interface Rules {
  partition: 'app' | 'user' | 'team'
  read: string
  write: string
}

export const ACCESS_RULES: Record<AccessLevel, Rules> = {
  open: { partition: 'app', read: 'public', write: 'public' },
  readers: { partition: 'app', read: 'public', write: 'members' },
  members: { partition: 'app', read: 'members', write: 'members' },
  authors: { partition: 'app', read: 'members', write: 'owner' },
  own: { partition: 'user', read: 'owner', write: 'owner' },
  team: { partition: 'team', read: 'team', write: 'team' },
  staff: { partition: 'app', read: 'public', write: 'staff' },
}

/** The rules of an open list with a bot check: only a route of the app, which does the check, can add records. */
export const GUARDED_RULES: Rules = { ...ACCESS_RULES.open, write: 'nobody' }

/** Returns the access that these rules stand for; null for rules that the scaffold does not write. */
export function accessWithRules(rules: { [rule in keyof Rules]?: unknown }): AccessLevel | null {
  const known = [
    ...(Object.entries(ACCESS_RULES) as [AccessLevel, Rules][]),
    ['open', GUARDED_RULES] as const,
  ]
  const found = known.find(
    ([, one]) => one.partition === rules.partition && one.read === rules.read && one.write === rules.write,
  )
  return found?.[0] ?? null
}

/** A limit counts each person's records, so only signed-in people may add records. */
const LIMITABLE_ACCESS: readonly AccessLevel[] = ['readers', 'members', 'authors', 'own']
export const isLimitable = (access: AccessLevel | null): boolean =>
  access !== null && LIMITABLE_ACCESS.includes(access)

/**
 * The rules of a list with a limit per person. Pages cannot write to it; they call routes of the app, which
 * count what each person adds. For `authors`, staff may also write directly: otherwise the rules would be the same as for `members`, and
 * `accessIn` could not tell which access a list has.
 */
export const limitedRules = (access: AccessLevel): Rules => ({
  ...ACCESS_RULES[access],
  write: access === 'authors' ? 'staff' : 'nobody',
})

export const meterOf = (collection: string): string => `add-${collection}`.slice(0, 60)

interface RuledManifest {
  collections?: Record<string, { [rule in keyof Rules]?: unknown } & { fields?: ScaffoldFields }>
  meters?: readonly { key: string }[]
}

export const isLimited = ({ meters = [] }: RuledManifest, collection: string): boolean =>
  meters.some(({ key }) => key === meterOf(collection))

/**
 * Returns the access of a list in `app.json`; null when its rules, or all its fields, are of kinds that the scaffold
 * does not write.
 */
export function accessIn(app: RuledManifest, collection: string): AccessLevel | null {
  const { fields, ...rules } = app.collections?.[collection] ?? {}
  if (fields !== undefined && !hasPlainField(fields)) return null
  if (!isLimited(app, collection)) return accessWithRules(rules)
  const isOf = (access: AccessLevel) =>
    (Object.entries(limitedRules(access)) as [keyof Rules, string][]).every(
      ([rule, word]) => rules[rule] === word,
    )
  return LIMITABLE_ACCESS.find(isOf) ?? null
}

/** Returns the capabilities that lists with these kinds of access need besides `data`. */
export const capabilitiesFor = (access: AccessLevel[]): string[] => [
  ...(access.some((one) => one !== 'open') ? ['auth'] : []),
  ...(access.includes('team') ? ['team'] : []),
]

/** Returns true when visitors who are not signed in cannot read the list, so that its page asks them to sign in. */
export const isForMembers = (access: AccessLevel): boolean => ACCESS_RULES[access].read !== 'public'

export const EVERYONE_WORDS =
  '(?:each|every)\\s?(?:person|one|body|user|member|visitor)|everyone|everybody|people|users|members'
const CHANGE_VERBS = '(?:add|create|enter|write|post|edit|change|update|delete|remove|submit)'
/** Matches `add and edit` or `add, change or delete`. */
const MANY_CHANGES = `${CHANGE_VERBS}(?:\\s*(?:,|/|and|or)\\s*(?:or\\s+|and\\s+)?${CHANGE_VERBS})*`
/** Matches the object of a change: `them`, `the books`, `new entries`. */
const OBJECT_WORDS =
  '(?:\\s+(?:it|them|things|something|anything|(?:(?:the|new|any|their)\\s+)?[a-z]+(?!\\s+(?:with|:))))?'
const SIGNED_IN =
  '(?:members|(?:signed|logged)[ -]in\\s+(?:people|users|members|visitors)|(?:people|users|visitors)\\s+(?:who|that)\\s+(?:are|have)\\s+(?:signed|logged)[ -]in)'

/** The first matching pattern wins, so the order matters. */
const ACCESS_PHRASES: [access: AccessLevel, pattern: string][] = [
  [
    'team',
    '(?:(?:that|where|so\\s+that)\\s+)?(?:(?:each|every)\\s+team|(?:(?:different|several|the)\\s+)?teams)\\s+(?:(?:can|may|should|must)\\s+)?(?:only\\s+)?(?:sees?|has|have|gets?|keeps?|reads?|views?|manages?)\\s+(?:only\\s+|just\\s+)?(?:its|their)\\s+own(?:\\s+(?!with\\b)[a-z]+)?',
  ],
  [
    'team',
    '(?:private|separate|personal|shared|visible)\\s+(?:only\\s+)?(?:to|for|within|in|inside)\\s+(?:each|every|a|the)\\s+team',
  ],
  [
    'team',
    `(?:only\\s+)?(?:the\\s+)?(?:members|people|users)\\s+(?:of|in)\\s+(?:the\\s+same|a|each|their)\\s+team\\s+(?:can|may|should)?\\s*(?:only\\s+)?(?:sees?|reads?|shares?|uses?|views?|${MANY_CHANGES})(?:\\s+(?:and|or)\\s+${CHANGE_VERBS})*${OBJECT_WORDS}`,
  ],
  [
    'authors',
    `only\\s+(?:the\\s+)?(?:author|owner|creator|person\\s+who\\s+(?:added|created|wrote|made)\\s+(?:it|them))\\s+(?:can|may|should(?:\\s+be\\s+able\\s+to)?)\\s+${MANY_CHANGES}${OBJECT_WORDS}`,
  ],
  [
    'authors',
    `(?:${EVERYONE_WORDS})\\s+(?:can|may|should)\\s+only\\s+${MANY_CHANGES}\\s+(?:their|his|her|what\\s+they)\\s+(?:own(?:\\s+[a-z]+)?|added|wrote|created)`,
  ],
  [
    'own',
    `(?:(?:that|where|so\\s+that)\\s+)?(?:${EVERYONE_WORDS})\\s+(?:(?:can|may|should|must)\\s+)?(?:only\\s+)?(?:sees?|has|have|gets?|keeps?|reads?|views?)\\s+(?:only\\s+|just\\s+)?(?:their|his|her|his\\s+or\\s+her)\\s+own(?:\\s+(?!with\\b)[a-z]+)?`,
  ],
  ['own', `(?:private|separate|personal)\\s+(?:to|for)\\s+(?:each|every)\\s+(?:person|user|member|one)`],
  [
    'own',
    `nobody\\s+(?:else\\s+)?(?:sees?|can\\s+see|reads?)\\s+(?:the\\s+)?(?:[a-z]+\\s+of\\s+(?:others|other\\s+people)|mine|them|it)`,
  ],
  [
    'staff',
    `only\\s+(?:staff|admins?|administrators?|the\\s+team)\\s+(?:can|may|should(?:\\s+be\\s+able\\s+to)?)\\s+${MANY_CHANGES}${OBJECT_WORDS}`,
  ],
  [
    'readers',
    `only\\s+${SIGNED_IN}\\s+(?:can|may|should(?:\\s+be\\s+able\\s+to)?)\\s+${MANY_CHANGES}${OBJECT_WORDS}`,
  ],
  [
    'members',
    `only\\s+(?:for\\s+)?${SIGNED_IN}(?:\\s+(?:can|may|should)\\s+(?:see|read|use|open|view)(?:\\s+(?:and|or)\\s+${CHANGE_VERBS})*${OBJECT_WORDS})?`,
  ],
  ['members', `(?:for\\s+)?members[ -]only`],
  ['members', `(?:(?:${EVERYONE_WORDS}|you|one)\\s+)(?:sign|log)\\s?-?in(?:\\s+first)?`],
  [
    'members',
    `(?:(?:${EVERYONE_WORDS}|you|one)\\s+)?(?:must|have\\s+to|has\\s+to|need\\s+to|needs\\s+to|should|can)\\s+(?:sign|log)\\s?-?in(?:\\s+(?:first|to\\s+(?:see|use|add|open)(?:\\s+(?:it|them|anything))?))?`,
  ],
  [
    'members',
    `(?:(?:add|with|and|make)\\s+)?(?:an?\\s+|the\\s+)?(?:sign[ -]?in|log[ -]?in|user\\s+accounts?|accounts\\s+for\\s+(?:people|users|everyone))(?:\\s+(?:page|form|screen))?(?!\\s+(?:with|to|by|at|via|through|using|for|data|details|names?|passwords?)\\b)`,
  ],
]

const ACCESS_PATTERNS = ACCESS_PHRASES.map(([access, pattern]) => ({
  access,
  // Also matches words before the phrase that would remain after its removal: `and`, a comma, `so that`.
  pattern: new RegExp(
    `(?:[,;]\\s*)?(?:\\b(?:and|but|where|so|so\\s+that)\\s+)?(?:\\b(?:please|i\\s+want\\s+that|make\\s+sure\\s+(?:that\\s+)?)\\s*)?\\b(?:${pattern})\\b`,
    'i',
  ),
}))
/** Matches `and everyone can read it`, which the phrase before it already implies. */
const READERS_PHRASE =
  /(?:[,;]\s*(?:(?:and|but|while)\s+)?|\b(?:and|but|while)\s+)(?:everyone|everybody|anyone|anybody|visitors|all)\s+(?:else\s+)?(?:can|may)\s+(?:see|read|look\s+at)(?:\s+(?:it|them|everything|the\s+[a-z]+))?\b/i
/** A text with one of these words is about sign-in providers or about a list of passkeys, and not about who may use the app. */
const NOT_ACCESS = /\b(?:google|github|apple|facebook|microsoft|passkeys?|sso)\b/i

/** Returns the access that a text requests, with its phrase and the rest of the text; null when the text requests no access. */
export function readAccess(text: string): { access: AccessLevel; words: string; rest: string } | null {
  if (NOT_ACCESS.test(text)) return null
  const found = ACCESS_PATTERNS.find(({ pattern }) => pattern.test(text))
  if (found === undefined) return null
  // Also remove other phrases for the same access rule as `found`, as in "people sign in, and each person sees their own".
  const rest = ACCESS_PATTERNS.reduce((said, { pattern }) => said.replace(pattern, ' '), text).replace(
    READERS_PHRASE,
    ' ',
  )
  const words = found.pattern.exec(text)?.[0] ?? ''
  return { access: found.access, words, rest: withoutPhrase(rest) }
}

const COUNT_WORDS = '(?:\\d+|one|two|three|four|five|six|ten|twenty)'
const AT_MOST =
  '(?:at\\s+most|(?:no|not)\\s+more\\s+than|up\\s+to|(?:an?\\s+)?max(?:imum)?(?:\\s+of)?|(?:an?\\s+)?limit(?:\\s+(?:of|is))?|only)'
/** Matches a limit per person or per time, such as `at most 3 per person` or `free users may add 10`. */
const LIMIT_PHRASE = new RegExp(
  `(?:[,;]\\s*)?(?:\\b(?:and|but|where|so\\s+that)\\s+)?\\b(?:${AT_MOST}\\s+${COUNT_WORDS}(?:\\s+[a-z]+){0,2}?\\s+(?:per|for\\s+(?:each|every)|each|an?)\\s+(?:person|user|member|visitor|customer|account|team|hour|day|week|month)|(?:free\\s+|paying\\s+)?(?:${EVERYONE_WORDS})\\s+(?:(?:can|may|should|must|are\\s+allowed\\s+to)\\s+)?(?:only\\s+)?(?:have|keep|book|upload|${CHANGE_VERBS})\\s+(?:${AT_MOST}\\s+${COUNT_WORDS}|\\d+)(?:\\s+[a-z]+)?(?:\\s+(?:per|an?|each)\\s+(?:hour|day|week|month))?)\\b`,
  'i',
)

/**
 * Returns the words of a request that limit who may read or write, such as `but only staff can edit`, and the request without
 * them. Returns null when the request contains no such words.
 */
export function readLimit(text: string): { words: string; rest: string } | null {
  const phrase = LIMIT_PHRASE.exec(text)?.[0]
  if (phrase === undefined) return null
  const words = phrase.replace(/^[,;\s]+/, '').replace(/^(?:and|but|where|so\s+that)\s+/i, '')
  return { words, rest: withoutPhrase(text.replace(phrase, ' ')) }
}

/** Removes the punctuation and space that a removed phrase left behind. */
export const withoutPhrase = (rest: string): string =>
  rest
    .replaceAll(/[ \t]+(?=[.,;!?])/g, '')
    .replaceAll(/(^|[.!?\n])\s*[.,;!?]+/g, '$1')
    .replaceAll(/[ \t]{2,}/g, ' ')
    .trim()
