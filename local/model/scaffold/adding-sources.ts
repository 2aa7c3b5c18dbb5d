import type { Access } from './access.ts'
import { creatorOf, rowsSource } from './extra-sources.ts'
import type { Fields } from './fields.ts'
import { addingNames, article, namesOf, sampleRecord } from './pages.ts'
import { labelOf } from './reminder-sources.ts'
import { notifySource, notifyTest } from './watching-sources.ts'

/** What an app does with a new record of a list, beside storing it. */
export interface Adding {
  mailTo: string | null
  /** Whether only people may add one, and no programs. */
  isGuarded: boolean
  /** Whether people may be notified of one. */
  isWatched: boolean
}

export const NO_ADDING: Adding = { mailTo: null, isGuarded: false, isWatched: false }

/** What the sources of a list depend on. */
interface Listed {
  collection: string
  fields: Fields
  access: Access
}

/** Returns the source of the route that adds a record and does the rest. */
export function addingHandler({ collection, fields, access }: Listed, adding: Adding): string {
  const { one } = namesOf(collection)
  const { mailTo, isGuarded, isWatched } = adding
  const used = [
    'data',
    ...(mailTo === null ? [] : ['email']),
    ...(isGuarded ? ['guard'] : []),
    ...(isWatched ? ['push'] : []),
  ]
  // Of an open list with a guard, visitors may not add records in another way.
  const creator = isGuarded && access === 'open' ? 'data.system' : 'data.as(c.req.raw)'
  return `import { ${used.join(', ')} } from '@slipway/app/server'
import type { Context } from 'hono'
${mailTo === null ? '' : `\nconst MAIL_TO = '${mailTo}'\n`}
/** Adds ${article(one)} ${one}. */
export async function ${addingNames(collection).handler}(c: Context) {
${isGuarded ? `  await guard.verify(c.req.raw, '${collection.slice(0, 32)}')\n` : ''}  const record = await ${creator}.create('${collection}', await c.req.json())
${mailTo === null && !isWatched ? '' : `  // The record is stored, so a refusal from here on must not make the form be sent again.\n`}${
    mailTo === null ? '' : mailSource(one, fields)
  }${isWatched ? `  await notify(String(record.${labelOf(fields)[0]} ?? '').slice(0, 100)).catch((error) => console.error(error))\n` : ''}  return c.json(record)
}
${isWatched ? notifySource(collection) : ''}`
}

function mailSource(one: string, fields: Fields): string {
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
const GUARDED = /^ {2}await guard\.verify\(/m
const WATCHED = /^ {2}await notify\(/m

/** Returns what the source of such a route does. */
export const readAdding = (source: string): Adding => ({
  mailTo: MAIL_TO.exec(source)?.[1] ?? null,
  isGuarded: GUARDED.test(source),
  isWatched: WATCHED.test(source),
})

/** Returns the source of tests: the form leads to a record and what follows it, and programs add none. */
export function addingTest(
  { collection, fields, access }: Listed,
  { mailTo, isGuarded, isWatched }: Adding,
): string {
  const { one } = namesOf(collection)
  const who = access === 'open' ? 'app' : 'ada'
  const sample = sampleRecord(fields)
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
${mailTo === null ? '' : mailed}${isGuarded ? guarded : ''}${
    isWatched ? notifyTest(collection, who, creatorOf(access), sample) : ''
  }`
}
