import type { Field, Fields } from './fields.ts'
import type { Wanted } from './lists.ts'
import { capitalize, sentenceCase, singular } from './words.ts'

/** Words and identifiers of one collection. */
export interface Names {
  collection: string
  /** `office plant` */
  one: string
  /** `office plants` */
  many: string
  /** Component and file name, `OfficePlants`. */
  component: string
  path: string
}

export function namesOf(collection: string): Names {
  const many = sentenceCase(collection).toLowerCase()
  const path = many.replaceAll(' ', '-')
  return {
    collection,
    one: sentenceCase(singularIdentifier(collection)).toLowerCase(),
    many,
    component: capitalize(collection),
    // Addresses below /api belong to the server.
    path: path.startsWith('api') ? `/the-${path}` : `/${path}`,
  }
}

/** Makes the last word of an identifier singular: `officePlants` is `officePlant`. */
function singularIdentifier(identifier: string): string {
  const at = identifier.search(/[A-Z][a-z0-9]*$/)
  if (at <= 0) return singular(identifier)
  return identifier.slice(0, at) + capitalize(singular(identifier.slice(at).toLowerCase()))
}

/** Returns the source of a page with a form above the live list. */
export function pageSource(wanted: Wanted): string {
  const { collection, one, many, component } = namesOf(wanted.collection)
  return `import { api, Card, EmptyState, Page, RecordForm, RecordList } from '@slipway/app/react'

export default function ${component}() {
  return (
    <Page title="${wanted.title}">
      <Card title="Add ${article(one)} ${one}">
        <RecordForm collection="${collection}" submitLabel="Add ${one}" />
      </Card>
      <RecordList
        collection="${collection}"
        empty={<EmptyState title="No ${many} yet">Add the first one above.</EmptyState>}
        onEdit={(record, input) => api.patch(\`/api/${collection}/\${record.id}\`, input)}
        onDelete={(record) => api.delete(\`/api/${collection}/\${record.id}\`)}
      />
    </Page>
  )
}
`
}

export const article = (noun: string) => (/^[aeiou]/.test(noun) ? 'an' : 'a')

/** Returns the routes for editing and deleting records, open to anyone with the address. */
export function routeSource(collection: string): string {
  return `
routes.patch('/${collection}/:id', async (c) =>
  c.json(await data.system.update('${collection}', c.req.param('id'), await c.req.json())),
)
routes.delete('/${collection}/:id', async (c) => c.json(await data.system.remove('${collection}', c.req.param('id'))))
`
}

export const NO_ROUTES = `import { Hono } from 'hono'

export const routes = new Hono()
`

export const EMPTY_ROUTES = `import { data } from '@slipway/app/server'\n${NO_ROUTES}`

/** The start page of an app without lists. */
export const EMPTY_PAGE = `import { EmptyState, Page } from '@slipway/app/react'

export default function Home() {
  return (
    <Page title="Ready to build">
      <EmptyState title="This app is empty">Say what it should keep track of, and the next build puts it here.</EmptyState>
    </Page>
  )
}
`

/** Returns the source of one test per collection: a record can be added, found, changed and removed. */
export function testSource(collection: string, fields: Fields): string {
  const { one } = namesOf(collection)
  const [name, before, after] = sampleOf(fields)
  const required = Object.entries(fields)
    .filter(([key, field]) => field.required === true && key !== name)
    .map(([key, field]) => `, ${key}: ${valuesOf(field)?.[0] ?? 'null'}`)
    .join('')
  // The variable is not named after the list, since `class` and `test` could not be variables.
  return `import { app, expect, test } from '@slipway/app/testing'

test('${article(one)} ${one} can be added, changed and removed', async () => {
  const record = await app.data.create('${collection}', { ${name}: ${before}${required} })
  expect((await app.data.list('${collection}')).items).toContainEqual(record)
  const changed = await app.patch(\`/api/${collection}/\${record.id}\`, { ${name}: ${after} })
  expect(changed.status).toBe(200)
  expect(changed.body.${name}).toBe(${after})
  expect((await app.delete(\`/api/${collection}/\${record.id}\`)).status).toBe(200)
  expect((await app.data.list('${collection}')).items.some((item) => item.id === record.id)).toBe(false)
})
`
}

/** Returns the field that the test writes, with two values: the required field, else the first that has a value. */
function sampleOf(fields: Fields): [name: string, before: string, after: string] {
  const names = Object.keys(fields)
  const order = [...names.filter((name) => fields[name]?.required === true), ...names]
  for (const name of order) {
    const values = valuesOf(fields[name])
    if (values !== null) return [name, ...values]
  }
  throw new Error(`no field of ${names.join(', ')} holds a value`)
}

/** Returns two values of a field as source text, or null when it needs another record. */
function valuesOf(field: Field | undefined): [before: string, after: string] | null {
  switch (field?.type) {
    case 'text':
      return ["'First'", "'Second'"]
    case 'number':
      return ['1', '2']
    case 'boolean':
      return ['false', 'true']
    case 'date':
      return ["'2026-01-31'", "'2026-02-28'"]
    case 'enum':
      return [JSON.stringify(field.values?.[0]), JSON.stringify(field.values?.at(-1))]
    case 'ref':
    case undefined:
      return null
  }
}
