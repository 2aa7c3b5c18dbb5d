import { type AccessLevel, meterOf } from '../reading/access.ts'
import { creatorOf, rowsSource } from './extra-sources.ts'
import type { ScaffoldFields } from '../reading/fields.ts'
import type { Limit } from '../reading/limits.ts'
import { article, namesOf } from '../reading/names.ts'
import { addRouteNames, sampleRecord } from './pages.ts'
import { identifyingFieldOf } from './reminder-sources.ts'
import { notifySource, notifyTest } from './watching-sources.ts'

export interface NewRecordExtras {
  mailTo: string | null
  isGuarded: boolean
  isWatched: boolean
  limit: Limit | null
}

export const NO_NEW_RECORD_EXTRAS: NewRecordExtras = {
  mailTo: null,
  isGuarded: false,
  isWatched: false,
  limit: null,
}

interface ListedCollection {
  collection: string
  fields: ScaffoldFields
  access: AccessLevel
}

/** Returns the source of the route that adds a record and applies the extras of the list. */
export function addRouteSource(
  { collection, fields, access }: ListedCollection,
  extras: NewRecordExtras,
): string {
  const { one } = namesOf(collection)
  const { mailTo, isGuarded, isWatched, limit } = extras
  const used = [
    ...(limit === null ? [] : ['ApiError', 'auth']),
    'data',
    ...(mailTo === null ? [] : ['email']),
    ...(isGuarded ? ['guard'] : []),
    ...(limit === null ? [] : ['meter']),
    ...(isWatched ? ['push'] : []),
  ]
  // In a list that everyone may add to, with a bot check, the visitor has no right to write, so the route
  // adds the record with the rights of the app.
  const creator = isGuarded && access === 'open' ? 'data.system' : 'data.as(c.req.raw)'
  const create =
    limit === null
      ? `  const record = await ${creator}.create('${collection}', await c.req.json())\n`
      : limitSource(collection, access, limit)
  return `import { ${used.join(', ')} } from '@slipway/app/server'
import type { Context } from 'hono'
${mailTo === null ? '' : `\nconst MAIL_TO = '${mailTo}'\n`}
/** Adds ${article(one)} ${one}. */
export async function ${addRouteNames(collection).handler}(c: Context) {
${isGuarded ? `  await guard.verify(c.req.raw, '${collection.slice(0, 32)}')\n` : ''}${create}${mailTo === null && !isWatched ? '' : `  // The record is stored, so a refusal from here on must not make the form be sent again.\n`}${
    mailTo === null ? '' : mailSource(one, fields)
  }${isWatched ? `  await notify(String(record.${identifyingFieldOf(fields)[0]} ?? '').slice(0, 100)).catch((error) => console.error(error))\n` : ''}  return c.json(record)
}
${limit === null ? '' : changeSource(collection, access)}${isWatched ? notifySource(collection) : ''}`
}

/**
 * Returns the source text of the data client with which a route writes to a list with a limit. The client has the
 * rights of the app, because the route itself has checked the person.
 */
const recordsOf = (access: AccessLevel) => (access === 'own' ? 'data.system.of(user.id)' : 'data.system')

/**
 * Returns the source that counts a new record against the person's limit before adding the record. When the record is refused, the count is
 * reverted.
 */
function limitSource(collection: string, access: AccessLevel, { window }: Limit): string {
  const { many } = namesOf(collection)
  return `  const user = await auth.require(c.req.raw)
  const input = await c.req.json()
  const id = crypto.randomUUID()
  const { ok } = await meter.consume('${meterOf(collection)}', user.id, 1, { id })
  if (!ok) throw new ApiError('rate_limited', 'You have added all the ${many} that one ${window} allows.')
  const record = await ${recordsOf(access)}.create('${collection}', input${access === 'authors' ? ', { owner: user.id }' : ''}).catch(async (error) => {
    await meter.refund(id)
    throw error
  })
`
}

/**
 * Returns the routes that change and remove records of a list with a limit. Pages must use these routes, because rules that let pages
 * change records would also let pages add records beyond the limit.
 */
function changeSource(collection: string, access: AccessLevel): string {
  const { one } = namesOf(collection)
  const { changer, remover } = addRouteNames(collection)
  const asked =
    access === 'authors'
      ? 'await requireAuthor(c)'
      : `${access === 'own' ? 'const user = ' : ''}await auth.require(c.req.raw)`
  return `
/** Changes ${article(one)} ${one}. */
export async function ${changer}(c: Context) {
  ${asked}
  return c.json(await ${recordsOf(access)}.update('${collection}', c.req.param('id') ?? '', await c.req.json()))
}

/** Removes ${article(one)} ${one}. */
export async function ${remover}(c: Context) {
  ${asked}
  return c.json(await ${recordsOf(access)}.remove('${collection}', c.req.param('id') ?? ''))
}
${
  access === 'authors'
    ? `
/** Throws for everyone but staff and the person who added the record. */
async function requireAuthor(c: Context) {
  const user = await auth.require(c.req.raw)
  const { ownerId } = await data.system.get('${collection}', c.req.param('id') ?? '')
  if (ownerId !== user.id && user.role !== 'staff')
    throw new ApiError('forbidden', 'Only the person who added this ${one} may change it.')
}
`
    : ''
}`
}

function mailSource(one: string, fields: ScaffoldFields): string {
  const [name, email] = Object.entries(fields).find(([, { as }]) => as === 'email') ?? []
  const answers =
    name === undefined
      ? ''
      : `\n    replyTo: record.${name}${email?.required === true ? '' : ' ?? undefined'},`
  return `  const rows = [
${rowsSource(fields)}
  ]
  const mail = {
    to: MAIL_TO,
    subject: 'New ${one}',
    text: rows.map(([label, value]) => \`\${label}: \${value ?? ''}\`).join('\\n'),${answers}
  }
  await email.send(mail).catch((error) => console.error(error))
`
}

const MAIL_TO = /^const MAIL_TO = '([^'\n]+)'$/m
const GUARD_CALL = /^ {2}await guard\.verify\(/m
const NOTIFY_CALL = /^ {2}await notify\(/m

/** Parses a route that `addRouteSource` wrote. */
export const parseNewRecordExtras = (source: string): Omit<NewRecordExtras, 'limit'> => ({
  mailTo: MAIL_TO.exec(source)?.[1] ?? null,
  isGuarded: GUARD_CALL.test(source),
  isWatched: NOTIFY_CALL.test(source),
})

/**
 * Returns a test file of the app. It tests that a submitted record is stored and causes the mail or notification, that a request without
 * the bot check is refused, and that no caller exceeds a limit.
 */
export function addRouteTest(
  { collection, fields, access }: ListedCollection,
  { mailTo, isGuarded, isWatched, limit }: NewRecordExtras,
): string {
  const { one } = namesOf(collection)
  const who = access === 'open' ? 'app' : 'ada'
  const sample = sampleRecord(fields)
  const limited = limit === null ? '' : limitTest(collection, sample, limit)
  const mailed = `
test('a new ${one} is mailed', async () => {
${creatorOf(access)}  const { status, body } = await ${who}.post('/api/${collection}', ${sample})
  expect(status).toBe(200)
  expect(await app.system.get('${collection}', body.id)).toMatchObject({ id: body.id })
  const mail = (await app.mail()).at(-1)
  expect(mail?.to).toEqual(['${mailTo}'])
  expect(mail?.subject).toBe('New ${one}')
})
`
  const guarded = `
test('people add ${article(one)} ${one}, and programs do not', async () => {
${creatorOf(access)}  const record = ${sample}
  expect((await ${who}.post('/api/${collection}', record)).status).toBe(200)
  const bot = await ${who}.fetch('/api/${collection}', { method: 'POST', body: JSON.stringify(record) })
  expect(bot.status).toBe(403)
${access === 'open' ? `  await expect(app.data.create('${collection}', record)).toReject('forbidden')\n` : ''}})
`
  return `import { app, expect, test } from '@slipway/app/testing'
${mailTo === null ? '' : mailed}${limited}${isGuarded ? guarded : ''}${
    isWatched ? notifyTest(collection, who, creatorOf(access), sample) : ''
  }`
}

/**
 * The highest limit that a generated test reaches by adding records. With a higher limit this would be too slow, so the test adds one
 * record and checks how many more the person may add.
 */
const TESTED_LIMIT_MAX = 10

function limitTest(collection: string, sample: string, { count, window }: Limit): string {
  const { many } = namesOf(collection)
  const isTried = count <= TESTED_LIMIT_MAX
  const next =
    window === 'month'
      ? '{ days: 31 }'
      : window === 'hour'
        ? '{ hours: 1 }'
        : window === 'day'
          ? '{ days: 1 }'
          : '{ days: 7 }'
  return `
test('one person adds ${count} ${many} in ${window === 'hour' ? 'an' : 'a'} ${window} at most', async () => {
  const [ada, ben] = [await app.signUp('Ada'), await app.signUp('Ben')]
  const add = async (person: typeof ada) => (await person.post('/api/${collection}', ${sample})).status
${
  isTried
    ? `  for (let added = 0; added < ${count}; added += 1) expect(await add(ada)).toBe(200)
  expect(await add(ada)).toBe(429)
  expect(await add(ben)).toBe(200)
  await app.clock.advance(${next})
  expect(await add(ada)).toBe(200)`
    : `  expect(await add(ada)).toBe(200)
  expect(await add(ben)).toBe(200)
  expect((await ada.get('/_app/meter/${meterOf(collection)}')).body.data.remaining).toBe(${count - 1})`
}
})
`
}
