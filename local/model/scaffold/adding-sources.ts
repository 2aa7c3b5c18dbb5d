import type { Access } from './access.ts'
import { creatorOf, rowsSource } from './extra-sources.ts'
import type { Fields } from './fields.ts'
import { addingNames, article, namesOf, sampleRecord } from './pages.ts'

/** What an app does with a new record of a list, beside storing it. */
export interface Adding {
  mailTo: string
}

/** Returns the source of the route that adds a record and does the rest. */
export function addingHandler(collection: string, fields: Fields, { mailTo }: Adding): string {
  const { one } = namesOf(collection)
  const [name, email] = Object.entries(fields).find(([, { as }]) => as === 'email') ?? []
  const answers =
    name === undefined
      ? ''
      : `\n    replyTo: record.${name}${email?.required === true ? '' : ' ?? undefined'},`
  return `import { data, email } from '@slipway/app/server'
import type { Context } from 'hono'

const MAIL_TO = '${mailTo}'

/** Adds ${article(one)} ${one}. */
export async function ${addingNames(collection).handler}(c: Context) {
  const record = await data.as(c.req.raw).create('${collection}', await c.req.json())
  const rows = [
${rowsSource(fields)}
  ]
  const mail = {
    to: MAIL_TO,
    subject: 'New ${one}',
    text: rows.map(([label, value]) => \`\${label}: \${value ?? ''}\`).join('\\n'),${answers}
  }
  // The record is stored, so a mail that is refused must not make the form be sent again.
  await email.send(mail).catch((error) => console.error(error))
  return c.json(record)
}
`
}

const MAIL_TO = /^const MAIL_TO = '([^'\n]+)'$/m

/** Returns what the source of such a route does; null for another source. */
export function readAdding(source: string): Adding | null {
  const mailTo = MAIL_TO.exec(source)?.[1]
  return mailTo === undefined ? null : { mailTo }
}

/** Returns the source of a test: the form leads to a record and what follows it. */
export function addingTest(collection: string, fields: Fields, access: Access, { mailTo }: Adding): string {
  const { one } = namesOf(collection)
  return `import { app, expect, test } from '@slipway/app/testing'

test('a new ${one} is mailed', async () => {
${creatorOf(access)}  const { status, body } = await ${access === 'open' ? 'app' : 'ada'}.post('/api/${collection}', ${sampleRecord(fields)})
  expect(status).toBe(200)
  expect(await app.system.get('${collection}', body.id)).toMatchObject({ id: body.id })
  const mail = (await app.mail()).at(-1)
  expect(mail?.to).toEqual(['${mailTo}'])
  expect(mail?.subject).toBe('New ${one}')
})
`
}
