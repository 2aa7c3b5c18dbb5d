import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { buildInstructions, buildOpening } from './prompt.ts'

const TICKET = { title: 'Track plants with name and room', type: 'feature', body: '' }

function openingOf(tree: ReadonlyMap<string, string>, more: { isNew?: boolean; live?: string[] } = {}) {
  const { messages, shown } = buildOpening({
    projectId: 'prj_1',
    projectName: 'Plants',
    tree,
    isNew: more.isNew ?? false,
    enabled: ['data'],
    recentPaths: [],
    ticket: TICKET,
    ancestors: [],
    around: [],
    live: more.live ?? [],
    lastRun: null,
    previewErrors: [],
    files: [],
    today: '2026-11-26',
  })
  const [snapshot = '', ticket = ''] = messages.map(({ content }) => content as string)
  return { snapshot, ticket, shown, bytes: Buffer.byteLength(snapshot + ticket) }
}

/** Returns a page of about `bytes` bytes, in lines of 41 bytes. */
const pageOf = (bytes: number) =>
  `export function Plants() {\n${'  // a line of a page that a model wrote\n'.repeat(bytes / 41)}}\n`

describe('the opening messages of a build', () => {
  const starter = starterTree('Plants')

  test('the first prompt of a build names unchanged starter files in one line, and the model may replace them unread', () => {
    const { snapshot, shown } = openingOf(starter, { isNew: true })
    assert.match(snapshot, /^As every app starts with them: server\/routes.ts, web\/App.tsx, .*Home.tsx/m)
    assert.deepEqual(snapshot.match(/<file-\w+ path="[^"]+"/g)?.length, 1, 'app.json only')
    assert.deepEqual([...shown].sort(), [...starter.keys()].sort())
    const changed = new Map(starter).set('web/App.tsx', 'export const App = () => null\n')
    assert.match(
      openingOf(changed).snapshot,
      /<file-\w+ path="web\/App.tsx">\nexport const App = \(\) => null/,
    )
  })

  test('the first prompt of a build lists only the exports of a large file, which the model has to read before replacing it', () => {
    const tree = new Map(starter)
      .set('web/pages/Plants.tsx', pageOf(8_000))
      .set('web/pages/Small.tsx', pageOf(2_000))
    const { snapshot, shown } = openingOf(tree)
    assert.match(snapshot, /^web\/pages\/Plants.tsx \(\d+ bytes, \d+ lines, exports Plants\), not shown$/m)
    assert.ok(!shown.includes('web/pages/Plants.tsx'))
    assert.ok(shown.includes('web/pages/Small.tsx'))
  })

  test("facts about the live app are in the prompt's message about the ticket and do not change its message about the project", () => {
    const live = ['Live since 2026-11-02 at https://plants.example.', 'Records there: plants 12, rooms 0.']
    const [without, told] = [openingOf(starter), openingOf(starter, { live })]
    assert.equal(told.snapshot, without.snapshot)
    assert.match(
      told.ticket,
      /<live-app-\w+>\nLive since .*\nRecords there: plants 12, rooms 0.\n<\/live-app/,
    )
    assert.doesNotMatch(without.ticket, /live-app/)
  })

  // With all guides in the prompt, the same two requests had 40.3 kB and 62.7 kB.
  test('the first model request of a build has at most 17 kB for a new app, and at most 31 kB for an app with several large files', () => {
    const first = Buffer.byteLength(buildInstructions([], true)) + openingOf(starter, { isNew: true }).bytes
    assert.ok(first <= 17_000, `${first} bytes`)
    const app = new Map(starter)
      .set('web/pages/Plants.tsx', pageOf(9_000))
      .set('web/pages/Plant.tsx', pageOf(5_000))
      .set('server/routes.ts', pageOf(4_000))
      .set('tests/plants.test.ts', pageOf(3_000))
      .set('shared/plants.ts', pageOf(1_000))
    const second = Buffer.byteLength(buildInstructions(['data'], true)) + openingOf(app).bytes
    assert.ok(second <= 31_000, `${second} bytes`)
  })
})
