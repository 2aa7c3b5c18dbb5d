/** A small app, such as models write: five files, among them a route, a page, a component and a test. */

const TIDE_MANIFEST = {
  slipway: 1,
  name: 'Tide table',
  pages: [{ path: '/', file: 'Home.tsx', title: 'Tides' }],
}

const ROUTES_TS = `import { Hono } from 'hono'
import { tides } from '../shared/tides'

export const routes = new Hono()

routes.get('/release', (c) => c.json({ release: 1, tides: tides.length }))
routes.get('/tides', (c) => c.json(tides))
`

const TIDES_TS = `export interface Tide {
  place: string
  high: string
  metres: number
}

export const tides: Tide[] = [
  { place: 'North pier', high: '06:40', metres: 3.1 },
  { place: 'South pier', high: '06:55', metres: 2.9 },
]
`

const HOME_TSX = `import { Card, Page } from '@slipway/app/react'
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

const TIDE_TEST = `import { app, expect, test } from '@slipway/app/testing'

test('every pier has its tide', async () => {
  const answer = await app.get('/api/tides')
  expect(answer.status).toBe(200)
})
`

const PART_COUNT = 25

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
${indexesUpTo(PART_COUNT)
  .map((n) => `import { Part${n} } from '../components/Part${n}'`)
  .join('\n')}

export default function Home() {
  return (
    <Page title="Tide pools">
${indexesUpTo(PART_COUNT)
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

/** The script of a first build: two model calls write the five files, the third call finishes the build, which runs every check. */
export const FIRST_BUILD = [
  {
    toolCalls: [
      writeFileCall('app.json', JSON.stringify(TIDE_MANIFEST, null, 2)),
      writeFileCall('shared/tides.ts', TIDES_TS),
      writeFileCall('server/routes.ts', ROUTES_TS),
    ],
  },
  {
    toolCalls: [
      writeFileCall('web/pages/Home.tsx', HOME_TSX),
      writeFileCall('tests/tides.test.ts', TIDE_TEST),
    ],
  },
  { toolCalls: [finishCall] },
]

/**
 * The script of a later build. The build changes the release number in one line, so that a response of the app shows which release runs.
 */
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

/** The script of a large build: two model calls write thirty files, the third call finishes the build. */
export const LARGE_BUILD = [
  {
    toolCalls: [
      writeFileCall('app.json', JSON.stringify(TIDE_MANIFEST, null, 2)),
      writeFileCall('shared/tides.ts', TIDES_TS),
      writeFileCall('server/routes.ts', ROUTES_TS),
      ...indexesUpTo(12).map((n) => writeFileCall(`web/components/Part${n}.tsx`, partSource(n))),
    ],
  },
  {
    toolCalls: [
      ...indexesUpTo(PART_COUNT)
        .slice(12)
        .map((n) => writeFileCall(`web/components/Part${n}.tsx`, partSource(n))),
      writeFileCall('web/pages/Home.tsx', LARGE_HOME),
      writeFileCall('tests/tides.test.ts', TIDE_TEST),
    ],
  },
  { toolCalls: [finishCall] },
]
