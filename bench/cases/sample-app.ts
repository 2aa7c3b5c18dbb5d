/** A small app like those that models write: five files, among them a route, a page, a component and a test. */

const MANIFEST = {
  slipway: 1,
  name: 'Tide table',
  pages: [{ path: '/', file: 'Home.tsx', title: 'Tides' }],
}

const ROUTES = `import { Hono } from 'hono'
import { tides } from '../shared/tides'

export const routes = new Hono()

routes.get('/release', (c) => c.json({ release: 1, tides: tides.length }))
routes.get('/tides', (c) => c.json(tides))
`

const SHARED = `export interface Tide {
  place: string
  high: string
  metres: number
}

export const tides: Tide[] = [
  { place: 'North pier', high: '06:40', metres: 3.1 },
  { place: 'South pier', high: '06:55', metres: 2.9 },
]
`

const HOME = `import { Card, Page } from '@slipway/app/react'
import { tides } from '../../shared/tides'

export default function Home() {
  return (
    <Page title="Tides">
      {tides.map((tide) => (
        <Card key={tide.place} title={tide.place}>
          <p>
            High water at {tide.high}, {tide.metres.toFixed(1)} m
          </p>
        </Card>
      ))}
    </Page>
  )
}
`

const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('every pier has its tide', async () => {
  const answer = await app.get('/api/tides')
  expect(answer.status).toBe(200)
})
`

const PARTS = 25

const partSource = (n: number) => `import { Card } from '@slipway/app/react'

export function Part${n}({ metres }: { metres: number }) {
  return (
    <Card title="Tide pool ${n}">
      <p>{metres > ${n} ? 'Under water' : (${n} - metres).toFixed(1) + ' m above the water'}</p>
    </Card>
  )
}
`

const LARGE_HOME = `import { Page } from '@slipway/app/react'
${indexesUpTo(PARTS)
  .map((n) => `import { Part${n} } from '../components/Part${n}'`)
  .join('\n')}

export default function Home() {
  return (
    <Page title="Tide pools">
${indexesUpTo(PARTS)
  .map((n) => `      <Part${n} metres={${n % 7}} />`)
  .join('\n')}
    </Page>
  )
}
`

function indexesUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}

const writeFileCall = (path: string, content: string) => ({ name: 'write_file', args: { path, content } })
const finishCall = { name: 'finish', args: { summary: 'A tide table with two piers.' } }

/** The script of a first build: two model calls write the five files, the third one finishes, which runs every check. */
export const FIRST_BUILD = [
  {
    toolCalls: [
      writeFileCall('app.json', JSON.stringify(MANIFEST, null, 2)),
      writeFileCall('shared/tides.ts', SHARED),
      writeFileCall('server/routes.ts', ROUTES),
    ],
  },
  { toolCalls: [writeFileCall('web/pages/Home.tsx', HOME), writeFileCall('tests/tides.test.ts', TEST)] },
  { toolCalls: [finishCall] },
]

/** The script of a later build, which changes one line, so that a request can tell the releases apart. */
export const nextBuild = (release: number) => [
  {
    toolCalls: [
      {
        name: 'edit_file',
        args: { path: 'server/routes.ts', old: `release: ${release - 1}`, new: `release: ${release}` },
      },
    ],
  },
  { toolCalls: [finishCall] },
]

/** The script of a large build: two model calls write thirty files, the third one finishes. */
export const LARGE_BUILD = [
  {
    toolCalls: [
      writeFileCall('app.json', JSON.stringify(MANIFEST, null, 2)),
      writeFileCall('shared/tides.ts', SHARED),
      writeFileCall('server/routes.ts', ROUTES),
      ...indexesUpTo(12).map((n) => writeFileCall(`web/components/Part${n}.tsx`, partSource(n))),
    ],
  },
  {
    toolCalls: [
      ...indexesUpTo(PARTS)
        .slice(12)
        .map((n) => writeFileCall(`web/components/Part${n}.tsx`, partSource(n))),
      writeFileCall('web/pages/Home.tsx', LARGE_HOME),
      writeFileCall('tests/tides.test.ts', TEST),
    ],
  },
  { toolCalls: [finishCall] },
]
