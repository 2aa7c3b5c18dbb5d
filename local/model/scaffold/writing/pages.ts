import { article, namesOf } from '../reading/names.ts'
import type { AccessLevel } from '../reading/access.ts'
import type { Field, ScaffoldFields } from '../reading/fields.ts'

/** Names and paths of the routes that add, change and remove records of a list with extras. */
export const addRouteNames = (collection: string) => {
  const { component } = namesOf(collection)
  const handler = `addTo${component}`
  const [changer, remover] = [`changeIn${component}`, `removeFrom${component}`]
  return {
    handler,
    changer,
    remover,
    handlerPath: `server/${handler}.ts`,
    testPath: `tests/${handler}.test.ts`,
  }
}

/** Returns the routes for editing and deleting records of an open list. Anyone with the address can call them. */
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

export const DATA_IMPORT = "import { data } from '@slipway/app/server'\n"
export const EMPTY_ROUTES = DATA_IMPORT + NO_ROUTES

export const EMPTY_PAGE = `import { EmptyState, Page } from '@slipway/app/react'

export default function Home() {
  return (
    <Page title="Ready to build">
      <EmptyState title="This app is empty">Say what it should keep track of, and the next build puts it here.</EmptyState>
    </Page>
  )
}
`

/** Returns the test of a list, which asserts its access rules. */
export function testSource(
  collection: string,
  fields: ScaffoldFields,
  access: AccessLevel = 'open',
  adding: 'free' | 'guarded' | 'limited' = 'free',
): string {
  const { one, many } = namesOf(collection)
  const [name, , after] = sampleOf(fields)
  const sample = sampleRecord(fields)
  const of = { collection, one, many, sample, name, after, isGuarded: adding === 'guarded' }
  const { title, body } = adding === 'limited' ? limitedTest(of, access) : ACCESS_TESTS[access](of)
  // The variable is `record` and not the name of the list, because `class` or `test` could not be a variable.
  return `import { app, expect, test } from '@slipway/app/testing'

test('${title}', async () => {
${body}
})
`
}

/** Returns source text of a record with a value in each required field. */
export function sampleRecord(fields: ScaffoldFields): string {
  const [name, value] = sampleOf(fields)
  const required = Object.entries(fields)
    .filter(([key, field]) => field.required === true && key !== name)
    .map(([key, field]) => `, ${key}: ${valuesOf(field)?.[0] ?? 'null'}`)
  return `{ ${name}: ${value}${required.join('')} }`
}

interface SampleRecord {
  collection: string
  one: string
  many: string
  sample: string
  name: string
  after: string
  /** True when visitors can add records only through a route of the app. */
  isGuarded: boolean
}

const listedItems = ({ collection }: SampleRecord, who: string) =>
  `(await ${who}.data.list('${collection}')).items`
const TWO_PEOPLE = "  const [ada, ben] = [await app.signUp('Ada'), await app.signUp('Ben')]"
const createRecordLine = ({ collection, sample }: SampleRecord) =>
  `  const record = await ada.data.create('${collection}', ${sample})`
const expectRejection = (
  { collection, sample }: SampleRecord,
  who: string,
  call: 'create' | 'list',
  code: string,
) =>
  `  await expect(${who}.data.${call}('${collection}'${call === 'create' ? `, ${sample}` : ''})).toReject('${code}')`
/**
 * Returns source lines for a test: the person `who` changes the record through the data API, and the response must have the status
 * `status`. `where` is the variable with the team of the record.
 */
const changedBy = ({ collection, name, after }: SampleRecord, who: string, status: number, where = '') =>
  `  const by${who === 'ada' ? 'Ada' : 'Ben'} = await ${who}.post('/_app/data/mutate', {
    mutationId: crypto.randomUUID(),${where === '' ? '' : `\n    partition: ${where},`}
    ops: [{ op: 'update', collection: '${collection}', id: record.id, fields: { ${name}: ${after} } }],
  })
  expect(by${who === 'ada' ? 'Ada' : 'Ben'}.status).toBe(${status})`

const ACCESS_TESTS: Record<AccessLevel, (of: SampleRecord) => { title: string; body: string }> = {
  open: (of) => ({
    title: `${article(of.one)} ${of.one} can be added, changed and removed`,
    body: `  const ${of.isGuarded ? '{ body: record } = await app.post(' : 'record = await app.data.create('}'${of.isGuarded ? '/api/' : ''}${of.collection}', ${of.sample})
  expect(${listedItems(of, 'app')}).toContainEqual(record)
  const changed = await app.patch(\`/api/${of.collection}/\${record.id}\`, { ${of.name}: ${of.after} })
  expect(changed.status).toBe(200)
  expect(changed.body.${of.name}).toBe(${of.after})
  expect((await app.delete(\`/api/${of.collection}/\${record.id}\`)).status).toBe(200)
  expect(${listedItems(of, 'app')}.some((item) => item.id === record.id)).toBe(false)`,
  }),
  readers: (of) => ({
    title: `visitors read the ${of.many}, and only people who are signed in add and change them`,
    body: [
      TWO_PEOPLE,
      createRecordLine(of),
      `  expect(${listedItems(of, 'app')}).toContainEqual(record)`,
      expectRejection(of, 'app', 'create', 'unauthorized'),
      changedBy(of, 'ben', 200),
    ].join('\n'),
  }),
  members: (of) => ({
    title: `people who are signed in share the ${of.many}, and visitors see none`,
    body: [
      TWO_PEOPLE,
      createRecordLine(of),
      `  expect(${listedItems(of, 'ben')}).toContainEqual(record)`,
      changedBy(of, 'ben', 200),
      expectRejection(of, 'app', 'list', 'unauthorized'),
    ].join('\n'),
  }),
  authors: (of) => ({
    title: `only the person who added ${article(of.one)} ${of.one} changes it`,
    body: [
      TWO_PEOPLE,
      createRecordLine(of),
      `  expect(${listedItems(of, 'ben')}).toContainEqual(record)`,
      changedBy(of, 'ben', 403),
      changedBy(of, 'ada', 200),
      expectRejection(of, 'app', 'list', 'unauthorized'),
    ].join('\n'),
  }),
  own: (of) => ({
    title: `everyone has ${of.many} of their own`,
    body: [
      TWO_PEOPLE,
      createRecordLine(of),
      `  expect(${listedItems(of, 'ada')}).toContainEqual(record)`,
      `  expect(${listedItems(of, 'ben')}).toEqual([])`,
      expectRejection(of, 'app', 'list', 'unauthorized'),
    ].join('\n'),
  }),
  team: (of) => ({
    title: `each team has ${of.many} of its own`,
    body: [
      TWO_PEOPLE,
      "  const [red, blue] = [await app.team('Red', ada), await app.team('Blue', ben)]",
      `  const record = await ada.data.of(red).create('${of.collection}', ${of.sample})`,
      `  expect((await ada.data.of(red).list('${of.collection}')).items).toEqual([record])`,
      changedBy(of, 'ada', 200, 'red'),
      changedBy(of, 'ben', 403, 'red'),
      `  expect((await ben.data.of(blue).list('${of.collection}')).items).toEqual([])`,
      `  await expect(ben.data.of(red).list('${of.collection}')).toReject('forbidden')`,
      `  await expect(app.data.of(red).list('${of.collection}')).toReject('unauthorized')`,
    ].join('\n'),
  }),
  // Asserts only refusals, because this test has no person with the role staff.
  staff: (of) => ({
    title: `neither visitors nor members add ${of.many}`,
    body: [
      "  const ada = await app.signUp('Ada')",
      expectRejection(of, 'app', 'create', 'forbidden'),
      expectRejection(of, 'ada', 'create', 'forbidden'),
      `  expect(${listedItems(of, 'app')}).toEqual([])`,
    ].join('\n'),
  }),
}

/** Returns the test of a list with a limit. Only routes of the app add, change and remove records of such a list. */
const limitedTest = (of: SampleRecord, access: AccessLevel) => ({
  title: `people who are signed in change the ${of.many} through routes of the app alone`,
  body: [
    TWO_PEOPLE,
    `  const { body: record } = await ada.post('/api/${of.collection}', ${of.sample})`,
    `  expect(${listedItems(of, 'ada')}).toContainEqual(record)`,
    expectRejection(of, 'ada', 'create', 'forbidden'),
    `  const path = \`/api/${of.collection}/\${record.id}\``,
    `  expect((await app.post('/api/${of.collection}', ${of.sample})).status).toBe(401)`,
    `  expect((await app.patch(path, { ${of.name}: ${of.after} })).status).toBe(401)`,
    `  expect((await ben.patch(path, { ${of.name}: ${of.after} })).status).toBe(${{ own: 404, authors: 403 }[access as string] ?? 200})`,
    `  expect((await ada.patch(path, { ${of.name}: ${of.after} })).body.${of.name}).toBe(${of.after})`,
    `  expect((await ada.delete(path)).status).toBe(200)`,
    `  expect(${listedItems(of, 'ada')}.some((item) => item.id === record.id)).toBe(false)`,
  ].join('\n'),
})

/** Chooses a field for which `valuesOf` returns values, if possible a required field. Returns the field's name and values. */
function sampleOf(fields: ScaffoldFields): [name: string, before: string, after: string] {
  const names = Object.keys(fields)
  const order = [...names.filter((name) => fields[name]?.required === true), ...names]
  for (const name of order) {
    const values = valuesOf(fields[name])
    if (values !== null) return [name, ...values]
  }
  throw new Error(`no field of ${names.join(', ')} holds a value`)
}

/**
 * Returns two values for a field as source text. Null for a reference, whose value needs another record, and
 * for types without a short value.
 */
export function valuesOf(field: Field | undefined): [before: string, after: string] | null {
  switch (field?.type) {
    case 'text':
      return ["'First'", "'Second'"]
    case 'number':
    case 'integer':
      return ['1', '2']
    case 'boolean':
      return ['false', 'true']
    case 'date':
      return ["'2026-01-31'", "'2026-02-28'"]
    case 'enum':
      return [JSON.stringify(field.values?.[0]), JSON.stringify(field.values?.at(-1))]
    case 'ref':
    case 'file':
    case 'json':
    case 'list':
    case undefined:
      return null
  }
}
