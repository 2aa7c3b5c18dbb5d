import { completeTree } from '../../agent/source/tree.ts'
import { starterTree } from '../../agent/source/tree.ts'

const MANIFEST = `{
  "slipway": 1,
  "name": "Office plants",
  "uses": ["data"],
  "pages": [
    { "path": "/", "file": "Plants.tsx", "title": "Plants" },
    { "path": "/about", "file": "About.tsx", "title": "About" }
  ],
  "collections": {
    "plants": {
      "title": "Plants",
      "partition": "app",
      "read": "public",
      "write": "public",
      "fields": {
        "name": { "type": "text", "required": true },
        "room": { "type": "text" },
        "watered": { "type": "date", "index": true }
      }
    }
  }
}
`

const PLANTS = `import { Page, RecordForm, RecordList } from '@slipway/app/react'

export default function Plants() {
  return (
    <Page title="Plants">
      <RecordForm collection="plants" />
      <RecordList collection="plants" columns={['name', 'room', 'watered']} />
    </Page>
  )
}
`

const ABOUT = `import { Page } from '@slipway/app/react'
import { greet } from '../../shared/greet'

export default function About() {
  return <Page title="About">{greet('plants')}</Page>
}
`

const ROUTES = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/plants/:id', async (c) => c.json(await data.system.get('plants', c.req.param('id'))))
routes.get('/count', async (c) => c.json({ count: (await data.system.list('plants', {})).items.length }))
`

const TESTS = `import { app, expect, test } from '@slipway/app/testing'

test('a plant is stored and counted', async () => {
  const plant = await app.data.create('plants', { name: 'Fern' })
  expect((await app.data.list('plants')).items).toContainEqual(plant)
  expect((await app.get('/api/count')).body).toEqual({ count: 1 })
})
`

/** Returns the files of a small app with a collection, two pages, routes and a test, which passes every check. */
export function sampleFiles(): Map<string, string> {
  const files = new Map(starterTree('Office plants'))
  files.delete('web/pages/Home.tsx')
  files.set('app.json', MANIFEST)
  files.set('web/pages/Plants.tsx', PLANTS)
  files.set('web/pages/About.tsx', ABOUT)
  files.set('shared/greet.ts', `export const greet = (name: string) => \`Hello \${name}\`\n`)
  files.set('server/routes.ts', ROUTES)
  files.set('tests/plants.test.ts', TESTS)
  return files
}

/** Returns the whole source of the sample app as committed to main, including the files that the platform adds. */
export function sampleTree(changes: Record<string, string> = {}): ReadonlyMap<string, string> {
  return completeTree(new Map([...sampleFiles(), ...Object.entries(changes)]), new Set(['data']))
}

/**
 * Returns the sample app with `modules` more modules. Each module is imported by the one before it, so that the bundler reads all of them.
 */
export function largeSampleTree(modules: number): ReadonlyMap<string, string> {
  const parts = Array.from({ length: modules }, (_, i): [string, string] => {
    const next = i + 1 < modules ? `import { part${i + 1} } from './part${i + 1}'\n` : ''
    const rest = i + 1 < modules ? ` + part${i + 1}(n)` : ''
    return [`shared/part${i}.ts`, `${next}export const part${i} = (n: number): number => n + ${i}${rest}\n`]
  })
  const greet = `import { part0 } from './part0'\nexport const greet = (name: string) => \`Hello \${name} \${part0(1)}\`\n`
  return sampleTree({ ...Object.fromEntries(parts), 'shared/greet.ts': greet })
}
