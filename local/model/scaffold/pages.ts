import type { Wanted } from './intent.ts'
import { capitalize, sentenceCase, singular } from './words.ts'

/** The words and names one collection appears under. */
export interface Names {
  collection: string
  /** `officePlant` */
  one: string
  /** `office plant` */
  oneWords: string
  /** Component and file name, `OfficePlants`. */
  component: string
  path: string
}

export function namesOf(collection: string): Names {
  const one = singularIdentifier(collection)
  return {
    collection,
    one,
    oneWords: sentenceCase(one).toLowerCase(),
    component: capitalize(collection),
    path: `/${sentenceCase(collection).toLowerCase().replaceAll(' ', '-')}`,
  }
}

/** Only the last word of an identifier is its noun: `officePlants` is `officePlant`. */
function singularIdentifier(identifier: string): string {
  const at = identifier.search(/[A-Z][a-z0-9]*$/)
  if (at <= 0) return singular(identifier)
  return identifier.slice(0, at) + capitalize(singular(identifier.slice(at).toLowerCase()))
}

/** A page with the form on top and the live list below. */
export function pageSource(wanted: Wanted): string {
  const { collection, one, oneWords, component } = namesOf(wanted.collection)
  return `import { api, Card, EmptyState, Page, RecordForm, RecordList } from '@slipway/app/react'

export default function ${component}() {
  return (
    <Page title="${wanted.title}">
      <Card title="Add ${article(oneWords)} ${oneWords}">
        <RecordForm collection="${collection}" submitLabel="Add ${oneWords}" />
      </Card>
      <RecordList
        collection="${collection}"
        empty={<EmptyState title="No ${sentenceCase(collection).toLowerCase()} yet">Add the first one above.</EmptyState>}
        onEdit={(${one}, input) => api.patch(\`/api/${collection}/\${${one}.id}\`, input)}
        onDelete={(${one}) => api.delete(\`/api/${collection}/\${${one}.id}\`)}
      />
    </Page>
  )
}
`
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? 'an' : 'a')

/** The two routes that let anyone with the address correct and remove what was added. */
export function routeSource(collection: string): string {
  return `
routes.patch('/${collection}/:id', async (c) =>
  c.json(await data.system.update('${collection}', c.req.param('id'), await c.req.json())),
)
routes.delete('/${collection}/:id', async (c) => c.json(await data.system.remove('${collection}', c.req.param('id'))))
`
}

export const EMPTY_ROUTES = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
`

/** One test per collection: what is added is found, can be changed, and is gone when it is removed. */
export function testSource(wanted: Wanted): string {
  const { collection, one, oneWords } = namesOf(wanted.collection)
  const sample = sampleOf(wanted)
  const [field, value] = changeOf(wanted)
  return `import { app, expect, test } from '@slipway/app/testing'

test('${article(oneWords)} ${oneWords} can be added, changed and removed', async () => {
  const ${one} = await app.data.create('${collection}', ${sample})
  expect((await app.data.list('${collection}')).items).toContainEqual(${one})
  const changed = await app.patch(\`/api/${collection}/\${${one}.id}\`, { ${field}: ${value} })
  expect(changed.status).toBe(200)
  expect((await app.delete(\`/api/${collection}/\${${one}.id}\`)).status).toBe(200)
  expect((await app.data.list('${collection}')).items.some((item) => item.id === ${one}.id)).toBe(false)
})
`
}

const EXAMPLES: Record<string, string> = {
  text: "'First'",
  number: '1',
  boolean: 'true',
  date: "'2026-01-31'",
}

function sampleOf(wanted: Wanted): string {
  const parts = Object.entries(wanted.fields)
    .filter(([, field]) => field.required === true)
    .map(([name, field]) => `${name}: ${EXAMPLES[field.type] ?? 'null'}`)
  return `{ ${parts.join(', ')} }`
}

function changeOf(wanted: Wanted): [string, string] {
  const text = Object.entries(wanted.fields).find(([, field]) => field.required === true)
  return [text?.[0] ?? 'name', "'Second'"]
}
