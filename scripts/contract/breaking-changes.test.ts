import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { breakingChanges, type Contract, unapproved } from './breaking-changes.ts'
import { ROOT } from '../lib.ts'
import { reducedContract } from './reduced-contract.ts'

/** One operation with the schema of its response. Each case below replaces one text of the document. */
const RELEASED = `
  "paths": { "/plants": { "post": {
    "operationId": "addPlant",
    "description": "Adds a plant.",
    "security": [{ "key": ["plants:write"] }, { "session": [] }],
    "parameters": [
      { "name": "dry", "in": "query", "required": false, "schema": { "enum": ["yes", "no"] } },
      { "name": "limit", "in": "query", "required": false, "schema": { "type": "integer", "maximum": 100 } }
    ],
    "requestBody": { "required": false, "content": { "application/json": { "schema": {
      "type": "object",
      "properties": {
        "name": { "type": "string", "maxLength": 20, "default": "Ficus" },
        "size": { "enum": ["small", "large"] }
      },
      "required": ["name"]
    } } } },
    "responses": {
      "200": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Plant" } } } },
      "404": { "description": "No such pot." }
    }
  } } },
  "components": { "schemas": { "Plant": {
    "type": "object",
    "properties": { "id": { "type": "string" }, "state": { "enum": ["dry", "wet"] } },
    "required": ["id", "state"]
  } } }`

type Edit = [what: string, released: string, current: string]

const BREAKING: [...Edit, ...lines: string[]][] = [
  ['a removed path', `"/plants"`, `"/pots"`, '/pots: Path `/plants` was renamed to `/pots`.'],
  ['a removed operation', `"post"`, `"put"`, 'Operation `POST /plants` was removed.'],
  [
    'a renamed operation',
    `"addPlant"`,
    `"add"`,
    "`operationId` of operation `POST /plants` changed from 'addPlant' to 'add'.",
  ],
  [
    'another scope',
    `"plants:write"`,
    `"plants:read"`,
    'Access changed from key (plants:write) or session to key (plants:read) or session.',
  ],
  [
    'another role',
    `{ "session": [] }`,
    `{ "session": ["admin"] }`,
    'Access changed from key (plants:write) or session to key (plants:write) or session (admin).',
  ],
  [
    'access without credentials',
    `[{ "key": ["plants:write"] }, { "session": [] }]`,
    '[]',
    'Access changed from key (plants:write) or session to public.',
  ],
  [
    'no access for keys',
    `{ "key": ["plants:write"] }, `,
    '',
    'Access changed from key (plants:write) or session to session.',
  ],
  [
    'a renamed parameter',
    `"name": "dry"`,
    `"name": "wet"`,
    'parameters/wet: `dry` query parameter was renamed to `wet`.',
  ],
  [
    'a removed parameter',
    `{ "name": "dry", "in": "query", "required": false, "schema": { "enum": ["yes", "no"] } },`,
    '',
    'parameters/dry: `dry` query parameter was removed.',
  ],
  [
    'a parameter that is required now',
    `"name": "limit", "in": "query", "required": false`,
    `"name": "limit", "in": "query", "required": true`,
    'parameters/limit: `limit` query parameter became required.',
  ],
  [
    'a new parameter that is required',
    `"parameters": [`,
    `"parameters": [{ "name": "why", "in": "query", "required": true, "schema": {} },`,
    'parameters/why: Required `why` query parameter was added.',
  ],
  [
    'a lower limit of a parameter',
    `"maximum": 100`,
    `"maximum": 50`,
    "parameters/limit/schema: Upper bound changed from '<= 100' to '<= 50'.",
  ],
  [
    'a parameter that takes fewer values',
    `["yes", "no"]`,
    `["yes"]`,
    "parameters/dry/schema: Enum lost values: 'no'.",
  ],
  [
    'a lower limit of a request',
    `"maxLength": 20`,
    `"maxLength": 10`,
    "requestBody/properties/name: `maxLength` of `name` changed from '20' to '10'.",
  ],
  [
    'a new limit of a request',
    `"maxLength": 20`,
    `"maxLength": 20, "minLength": 3`,
    "requestBody/properties/name: `minLength` of `name` was set to '3'.",
  ],
  [
    'a request that takes fewer values',
    `"small", "large"`,
    `"small"`,
    "requestBody/properties/size: Enum of `size` lost values: 'large'.",
  ],
  [
    'a request property of another type',
    `"type": "string", "maxLength": 20`,
    `"type": "integer"`,
    "requestBody/properties/name: Type of `name` narrowed from 'string' to 'integer'.",
  ],
  [
    'a request property that is required now',
    `["name"]`,
    `["name", "size"]`,
    'requestBody: Properties became required: `size`.',
  ],
  [
    'a request property that is no longer read',
    `,\n        "size": { "enum": ["small", "large"] }`,
    '',
    'requestBody/properties/size: It is no longer read.',
  ],
  [
    'another default',
    `"Ficus"`,
    `"Fern"`,
    'requestBody/properties/name: Its default changed from "Ficus" to "Fern".',
  ],
  [
    'a request body that is required now',
    `"requestBody": { "required": false`,
    `"requestBody": { "required": true`,
    'requestBody: Request body became required.',
  ],
  [
    'a removed response property',
    `"id": { "type": "string" }, `,
    '',
    'responses/200/properties/id: Property `id` of `Plant` was removed.',
  ],
  [
    'a response property that may be absent now',
    `["id", "state"]`,
    `["id"]`,
    'responses/200: Properties of `Plant` are no longer required: `state`.',
  ],
  [
    'a response property of another type',
    `"id": { "type": "string" }`,
    `"id": { "type": "integer" }`,
    "responses/200/properties/id: Type of `id` widened from 'string' to 'integer'.",
  ],
  [
    'a response property that may be null now',
    `"id": { "type": "string" }`,
    `"id": { "type": ["string", "null"] }`,
    "responses/200/properties/id: Type of `id` widened from 'string' to 'string | null'.",
  ],
  ['a removed status', `"404"`, `"410"`, 'responses/404: Response `404` was removed.'],
  [
    'another content type',
    `"200": { "content": { "application/json"`,
    `"200": { "content": { "text/plain"`,
    'responses/200: Media type `application/json` was removed.',
  ],
]

const COMPATIBLE: Edit[] = [
  ['another text', `"Adds a plant."`, `"Adds a plant to the pot."`],
  [
    'a new operation',
    `"post": {`,
    `"get": { "operationId": "listPlants", "responses": { "200": {} } }, "post": {`,
  ],
  [
    'a new parameter that is optional',
    `"parameters": [`,
    `"parameters": [{ "name": "why", "in": "query", "schema": {} },`,
  ],
  ['a higher limit', `"maximum": 100`, `"maximum": 200`],
  ['a request that takes more values', `"small", "large"`, `"small", "medium", "large"`],
  ['a request property that is optional now', `"required": ["name"]`, `"required": []`],
  ['a new request property that is optional', `"size": {`, `"colour": { "type": "string" }, "size": {`],
  ['a new response property', `"id": {`, `"age": { "type": "integer" }, "id": {`],
  ['a new value in a response', `"dry", "wet"`, `"dry", "wet", "frozen"`],
  ['a new status', `"404": {`, `"409": { "description": "The pot is taken." }, "404": {`],
]

/** Returns a document with the operation and schema of each case. Each case has its own path and its own schema name. */
function contractOf(texts: string[]): Contract & Record<string, unknown> {
  const parts = texts.map((text, index) => {
    const own = text.replaceAll(/"\/(\w+)"/g, `"/${index}/$1"`).replaceAll('Plant"', `Plant${index}"`)
    return JSON.parse(`{ ${own} }`) as Contract & { components: { schemas: object } }
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Plants', version: '1.0.0' },
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)) as Contract['paths'],
    components: {
      schemas: Object.assign({}, ...parts.map(({ components }) => components.schemas)) as object,
    },
  }
}

describe('the comparison of a contract with the released one', () => {
  const cases = [...BREAKING, ...COMPATIBLE]
  let lines: string[]
  before(async () => {
    const current = cases.map(([what, from, to]) => {
      assert.equal(RELEASED.split(from).length, 2, `${what} replaces one place`)
      return RELEASED.replace(from, to)
    })
    lines = await breakingChanges(contractOf(cases.map(() => RELEASED)), contractOf(current))
  })

  for (const [index, [what, , , expected]] of cases.entries())
    test(`${what} ${expected === undefined ? 'is not' : 'is'} reported as a breaking change of the API`, () => {
      const own = lines
        .filter((line) => line.includes(`/${index}/`))
        .map((line) => line.replaceAll(`/${index}/`, '/').replaceAll(`Plant${index}`, 'Plant'))
      assert.deepEqual(
        own.map((line) => line.replace(/^POST \/plants:? /, '')),
        expected === undefined ? [] : [expected],
      )
    })

  test('a renamed path parameter is reported as a breaking change of the API, because it breaks generated clients', async () => {
    const at = (name: string) =>
      contractOf([
        RELEASED.replace('"/plants"', `"/plants/{${name}}"`).replace(
          '"parameters": [',
          `"parameters": [{ "name": "${name}", "in": "path", "required": true, "schema": {} },`,
        ),
      ])
    assert.deepEqual(await breakingChanges(at('id'), at('plantId')), [
      'POST /plants/{plantId} parameters/plantId: It was renamed.',
    ])
  })

  test('comparing the API contract ignores texts of OpenAPI, but not properties and schemas named `title` or `tags`', () => {
    const properties = { title: { type: 'string', title: 'Title' } }
    const reduced = reducedContract({
      openapi: '3.1.0',
      paths: {},
      info: { title: 'Plants', version: '1.0.0', description: 'All plants.' },
      components: { schemas: { tags: { description: 'Tags.', properties } } },
    })
    assert.deepEqual(JSON.parse(reduced), {
      openapi: '3.1.0',
      paths: {},
      info: { title: 'Plants', version: '1.0.0' },
      components: { schemas: { tags: { properties: { title: { type: 'string' } } } } },
    })
  })

  test('the stored contract of the last release has each operation on a separate line', () => {
    const text = readFileSync(join(ROOT, 'docs/api/released.json'), 'utf8')
    const released = JSON.parse(text) as Contract
    const operations = Object.values(released.paths).flatMap((methods) => Object.keys(methods))
    assert.equal(text.split('\n').filter((line) => line.includes('"operationId"')).length, operations.length)
    assert.equal(reducedContract(released), text)
  })
})

describe('the approvals of breaking changes', () => {
  const change = 'GET /plants: Operation was removed.'

  test('only breaking changes of the API contract without an approval are reported', () => {
    assert.deepEqual(unapproved([change], { [change]: 'It was never used.' }), [])
    assert.deepEqual(unapproved([change], {}), [`Breaks clients of the last release: ${change}`])
  })

  test('an approval of a breaking change is reported when it has no reason or the contract has no such change', () => {
    assert.deepEqual(unapproved([change], { [change]: ' ' }), [`Approved without a reason: ${change}`])
    assert.deepEqual(unapproved([], { [change]: 'Old' }), [
      `Approved, but there is no such change: ${change}`,
    ])
  })
})
